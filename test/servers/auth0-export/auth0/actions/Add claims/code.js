exports.onExecutePostLogin = async (event, api) => {
  api.idToken.setCustomClaim("https://example.test/plan", event.user.app_metadata.plan);
};
