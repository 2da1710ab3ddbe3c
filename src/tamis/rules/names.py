"""Words in the name of a column that say what it holds."""

# Identifiers.
IDENTIFIER_WORDS = frozenset("id ids pid uid oid uuid guid".split())
# Words that end in "id" are many (paid, grid, humid): only these become one with "id".
OWNERS = (
    "(user|customer|client|patient|subject|order|account|person|employee|"
    "member|transaction|product|item|case|sample|session|device|participant|"
    "respondent|student|record|row|object|school|class|teacher|household|"
    "house|family|firm|company|store|plant|farm|site|station|plot|county|"
    "country|state|city|village|district|animal|donor|plate|well|image|visit|"
    "event|trip|flight|team|player|game|claim|policy|loan|invoice|ticket|"
    "vehicle|hospital|clinic|physician|provider|cust|emp|pat|subj|pers|indiv|"
    "resp|part|obs|sch|dist|geo)"
)
GLUED_IDENTIFIER = f"{OWNERS}ids?|id(no|num|nr|code|case)"
COUNTER_WORDS = frozenset("key nr no number rowname rownames".split())
ALONE_A_COUNT = frozenset(["number"])  # a number of what? of a plot it is its name
COUNTER_ENDS = ("nr", "nummer", "key")  # of a word: Kundennr, Fallnummer, gvkey
ROW_NAME_WORDS = ("rowname", "rownames")  # of a row: 1.1, 1.2, 2.1 are no measurement
# Where a row stands in its group: by themselves they may be measured, as a position on a genome.
PLACE_WORDS = frozenset("pos position seq sequence idx index obs observation".split())
SUBJECT_WORDS = frozenset(
    "subject subj participant patient respondent person individual animal firm company household "
    "pupil student donor proband panelist tree cow dog rat mouse rabbit".split()
)
TERRITORY_WORDS = frozenset("country countries state county city nation province iso".split())
# A quantity that takes every value of a range once is no number of a row.
QUANTITY_WORDS = frozenset(
    "age dist distance depth height length width weight size dose temp temperature speed price "
    "score points".split()
)

# Labels and codes.
LABEL_WORDS = frozenset(
    "label labels target targets outcome outcomes response diagnosis churn "
    "churned default defaulted survived fraud attrition readmitted relapse spam".split()
)
# Passengers and animals have them, too: labels stand in the last column.
LAST_LABEL_WORDS = frozenset("class classes species".split())
RESPONSE_WORDS = frozenset("target targets response outcome outcomes label".split())
# Binary columns whose names have one of these among other words: default.payment.next.month.
EVENT_WORDS = frozenset(
    "label target outcome churn churned default defaulted survived fraud attrition readmitted "
    "relapse spam".split()
)
CODE_WORDS = frozenset(  # in the last place of a name: a group size is none
    "code codes type category group class region sector status cluster race ethnicity religion "
    "district block site center centre ward batch occupation industry treatment trt marital "
    "precinct".split()
)
UNIT_WORDS = frozenset("lot plot country state county nation".split())  # alone
GLUED_CODE = "[a-z]{1,5}codes?"  # dcode, agecode
AREA_WORDS = frozenset(
    "zip zips zipcode plz postcode postleitzahl fips fip ccode cowcode gwcode icpsr".split()
)
GLUED_AREA = "(state|county|city|place|st|cnty)fips?|fipscode"
FREQUENCY_WORDS = frozenset(
    "freq frequency frequencies count counts n number num cases observed obs".split()
)
WEIGHT_WORDS = frozenset("wght pweight dweight fnlwgt fnlwt finalwt anweight pspwght".split())
GRADE_WORDS = frozenset("grade rating satisfaction agreement severity likert".split())
ITEM = r"[a-eq]\d{1,2}|(q|item)[ _.]?\d{1,3}"  # of a questionnaire: A1, q12

# Times, counts and shares.
TIME_WORDS = frozenset("time date timestamp datetime epoch ts unix".split())
VISIT_WORDS = frozenset(
    "time visit wave year yr period round session week month day quarter occasion timepoint jahr "
    "date".split()
)
COUNT_WORDS = frozenset("count counts".split())
PLURAL = "[a-z]{2,}[^sui0-9]s|children|people"  # of what is counted: visits, accidents
COUNT_STARTS = frozenset("n num number no nb".split())  # n_calls, but not education-num
SHARE_WORDS = frozenset(
    "share ratio rate prop proportion fraction frac prob probability p pvalue relative".split()
)
PERCENT_WORDS = frozenset("pct percent percentage perc prozent".split())
