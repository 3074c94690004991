"""Design questions: when is M constant, gravity balanced, a coefficient zero?"""
