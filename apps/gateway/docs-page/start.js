// Shows the description of the API that is served beside this page. A key that is typed in is not kept.
window.SwaggerUIBundle({
  url: 'openapi.json',
  dom_id: '#api',
  deepLinking: true,
  displayRequestDuration: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  defaultModelExpandDepth: 3,
  tryItOutEnabled: true,
  persistAuthorization: false,
  // Else it would send the document to a validator elsewhere.
  validatorUrl: null,
});
