"""/v1/claims."""

from service.api.blueprints import Asked, Blueprint, question_view
from service.outputs import ClaimsSchema
from service.parameters import body_of, claims_parameters
from service.questions import claims_answer

blueprint = Blueprint("claims", __name__, url_prefix="/v1/claims", description="Published claims recomputed")
asked = Asked(claims_parameters(), body_of(claims_parameters()), ClaimsSchema, claims_answer)
blueprint.route("")(question_view(blueprint, asked))
