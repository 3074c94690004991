"""The end of every check in Python: what a function's largest error says, and the verdict on all."""

VERDICT = """\
        print(f"{function['name']:32} largest error {worst:.3f} of the tolerance{'' if worst <= 1 else '  FAILED'}")
        failed = failed or worst > 1
    if failed:
        raise SystemExit("FAILED")
    print("all functions agree with the reference")


if __name__ == "__main__":
    main()
"""
