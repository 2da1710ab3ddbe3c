"""The limits of numbers as algorithms read them; each stands in the rules, with its reason."""

from tamis.rules.tolerances import ACCEPTED as ACCEPTED
from tamis.rules.tolerances import CONSTANT as CONSTANT
from tamis.rules.tolerances import EPS as EPS
from tamis.rules.tolerances import EXACT as EXACT
from tamis.rules.tolerances import MINOR as MINOR
from tamis.rules.tolerances import NEGLIGIBLE as NEGLIGIBLE
from tamis.rules.tolerances import RANK_TOL as RANK_TOL
from tamis.rules.tolerances import ROUNDING as ROUNDING
from tamis.rules.tolerances import TIE as TIE
