"""The model in other languages: functions of a robot as source code that proves itself.

`dynamis export ROBOT --to c` and `dynamis.export(robot, "c", "FOLDER")` write a folder: the code, a README, test
vectors and a self-check that one command runs. The way there:

    functions.py      what can be exported, by name: quantities, control laws, steps of a simulation, over any scalars
    export.py         the verb: what can be asked
    traced_export.py  robot and names -> `Export`
    exported.py       what an `Export` is; its `files` are the folder
    vectors.py        states with the results of the plain reference, and tolerances
    straight_line.py  a program as named values and short expressions, which printers walk
    readable.py       the same from the closed form, in the textbook's names
    syntax.py         expressions, names and comments in the spelling of a language
    words.py          what every export says in words: the head of a file, what a function takes and gives
    targets/          one file per language
    template.py       files of texts/ with their fields filled in: Makefiles, self-checks, all that robots share
    machine_code/     programs as LLVM's IR, object files, static libraries and WebAssembly modules

A new language is one file in `targets/` with

    files(export: Export) -> dict[str, str | bytes]     the files by name, its self-check among them
    usage(export: Export) -> str                        a few lines that call the first function, for the README

one line in `TARGETS` (target.py), which names the file, says what it gives and which command runs the self-check, and
one test that runs it. Everything that a printer needs hangs on `Export`; `targets/python.py` is the shortest example:

    export.functions                 each with .name, .about, .inputs, .outputs (operands with .name, .shape, .units,
                                     .entries), .program, .vectors (inputs, outputs, tolerances)
    function.body(syntax)            .loads, .statements, .results: names and expressions for `syntax.text`
    export.name                      the robot's name as an identifier of the language
    words.head(export)               lines for the comment at the head of a file, safe in any comment
    words.interface(function, ...)   lines about a function: arguments in order, units, operations
    filled("c/Makefile.in", ...)     a file of texts/, with a value for every @FIELD@
"""
