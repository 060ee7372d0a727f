const place = document.getElementById("swagger-ui");
SwaggerUIBundle({ url: place.dataset.document, domNode: place, validatorUrl: null, deepLinking: true });
