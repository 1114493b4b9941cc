/** The scopes of the Management API with which users manage their own account. Every user can get them. */
export const scopesForOwnUser = [
  "create:current_user_device_credentials",
  "delete:current_user",
  "delete:current_user_device_credentials",
  "read:current_user",
  "update:current_user_metadata",
];
