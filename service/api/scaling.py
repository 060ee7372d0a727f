"""/v1/scaling."""

from schemas.scaling import ScalingSchema
from service.api.blueprints import Asked, Blueprint, question_view
from service.parameters import body_of, scaling_parameters
from service.questions import scaling_answer

blueprint = Blueprint(
    "scaling", __name__, url_prefix="/v1/scaling", description="How time falls as a family of systems grows"
)
asked = Asked(scaling_parameters(), body_of(scaling_parameters()), ScalingSchema, scaling_answer)
blueprint.route("")(question_view(blueprint, asked))
