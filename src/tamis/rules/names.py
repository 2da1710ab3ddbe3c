"""Words in the name of a column that say what it holds."""

# Identifiers.
IDENTIFIER_WORDS = frozenset("id ids pid uid oid uuid guid".split())
# Words that end in "id" are many (paid, grid, humid): only these become one with "id".
GLUED_IDENTIFIER = (
    "(user|customer|client|patient|subject|order|account|person|employee|"
    "member|transaction|product|item|case|sample|session|device|participant|"
    "respondent|student|record|row|object|school|class|teacher|household|"
    "house|family|firm|company|store|plant|farm|site|station|plot|county|"
    "country|state|city|village|district|animal|donor|plate|well|image|visit|"
    "event|trip|flight|team|player|game|claim|policy|loan|invoice|ticket|"
    "vehicle|hospital|clinic|physician|provider|cust|emp|pat|subj|pers|indiv|"
    "resp|part|obs|sch|dist)ids?"
)
COUNTER_WORDS = frozenset("key nr no number row rowname rownames".split())
COUNTER_ENDS = ("nr", "nummer", "key")  # of a word: Kundennr, Fallnummer, gvkey
ROW_NAME_WORDS = ("rowname", "rownames")  # of a row: 1.1, 1.2, 2.1 are no measurement
# Where a row stands in its group: by themselves they may be measured, as a position on a genome.
PLACE_WORDS = frozenset("pos position seq sequence idx index obs observation".split())
SUBJECT_WORDS = frozenset(
    "subject subj participant patient respondent person individual animal firm company household "
    "pupil student donor proband".split()
)

# Labels and codes.
LABEL_WORDS = frozenset(
    "class classes label labels target targets outcome outcomes response diagnosis species churn "
    "churned default defaulted y survived fraud attrition readmitted relapse spam".split()
)
RESPONSE_WORDS = frozenset("target targets response outcome outcomes label y".split())
# Binary columns whose names have one of these among other words: default.payment.next.month.
EVENT_WORDS = frozenset(
    "label target outcome diagnosis churn churned default defaulted survived fraud attrition "
    "readmitted relapse spam".split()
)
CODE_WORDS = frozenset(
    "code codes type category group class region sector branch status cluster".split()
)
AREA_WORDS = frozenset("zip zips zipcode plz postcode postleitzahl fips".split())
GLUED_AREA = "(state|county|city|place)fips|fipscode"

# Times, counts and shares.
TIME_WORDS = frozenset("time date timestamp datetime epoch ts unix".split())
VISIT_WORDS = frozenset(
    "time visit wave year yr period round session week month day quarter occasion timepoint jahr "
    "date".split()
)
COUNT_WORDS = frozenset("count counts".split())
COUNT_STARTS = frozenset("n num number no nb".split())  # n_calls, but not education-num
SHARE_WORDS = frozenset(
    "share ratio rate prop proportion fraction frac prob probability p pvalue relative".split()
)
PERCENT_WORDS = frozenset("pct percent percentage perc prozent".split())
