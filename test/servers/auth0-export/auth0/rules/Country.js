function country(user, context, callback) {
  callback(null, user, context);
}
