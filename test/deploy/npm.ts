// How npm is run by tests: from its cache where it can, and without asking the registry for anything but packages.
export const npmEnvironment = {
  npm_config_prefer_offline: 'true',
  npm_config_audit: 'false',
  npm_config_fund: 'false',
  npm_config_update_notifier: 'false',
  npm_config_loglevel: 'error',
}
