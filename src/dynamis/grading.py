"""Answers of students beside the exact model."""

from __future__ import annotations

from dynamis.apps.grading.check import check_answer as check_answer
from dynamis.apps.grading.check_answers import check_answers as check_answers
