"""Checking a student's equations against the exact model: from a line of text to its verdict.

    M[1,2] = m2*(lc2^2 + l1*lc2*cos(q2)) + I2             one line of the answer

`check.check_answer` walks this way; data goes down only.

reading/: text -> trees -> values

 1. `pages.ready` blanks what is not a formula: comments, prose of a LaTeX document, the steps of a page of `derive`.
    Nothing moves, so every place stays that of the file.
 2. `lines.read_lines` cuts the text into `Line`s: a left side, a right side, and let, given or answer. What a program
    says around its formulas (declarations, commands, `return`) is that of `programs`.
 3. `left_sides.left_side` takes the left side apart: kind M, index 1,2. `roles.Roles` decides whether the line is about
    the model, defines a name of its own, is a condition on a parameter, or only hands a name over.
 4. `parser.parse` makes a tree of the right side (`tokens`, `trees`), matrices by `literals`, derivatives and NumPy's
    products by `calls`. Which names there are is known before: `names.Vocabulary`. This is `answer.read_answer`; the
    result, `Answer`, is frozen.
 5. `answer_values.AnswerValues.line` gives the tree a value: a fraction of polynomials in the `CommonRing`, which has
    the symbols of the model and those that only answers need. Names mean what the lines above say, then what the
    robot says, then what the lines below say. The value knows its slope in every decimal (`values.Value`).

judging/: value + exact entry -> verdict -> report

 6. `targets.target_of` finds the part of the model that the left side names, `entries.find_entries` pairs its entries
    with those of the value, and drops what a later line changes (`M11 += ...`).
 7. `judges.judge` tries the judges in order; the first one with a verdict decides. Most entries end at `equal`:
    value.top == true value * value.bottom, which is exact.
 8. What is not equal may be equal with rounded decimals (`rounding`; where the value is not linear in a decimal the
    same trees are evaluated again with another reading), with coefficients that the answer leaves open
    (`coefficients`), or in other stated ways. Else the last judge, `wrong`, says what differs, in formulas
    (`formulas`), and at which numbers it shows (`differences`).
 9. `report.Report` collects the verdicts; its `document()` is printed, or written as a page or JSON.
"""
