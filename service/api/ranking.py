"""/v1/ranking."""

from service.api.blueprints import Asked, Blueprint, question_view
from service.outputs import ranking_schema
from service.parameters import body_of, ranking_parameters
from service.questions import ranking_answer

blueprint = Blueprint("ranking", __name__, url_prefix="/v1/ranking", description="Systems by a metric")
asked = Asked(ranking_parameters(), body_of(ranking_parameters()), ranking_schema(), ranking_answer)
blueprint.route("")(question_view(blueprint, asked))
