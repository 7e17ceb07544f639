// Settings: secrets of web hooks.
import { list, masterKeys, optionalHttpUrl, setting, signingSecrets } from './setting.ts'

export const hooks = {
  hookSecrets: setting('BELLHOP_HOOK_SECRET', list, {
    doc: 'Secret token(s) of the web hooks, newest first, separated by commas.',
    secret: true,
    setWhen: 'all hooks share one secret',
  }),
  signingSecrets: setting('BELLHOP_SIGNING_SECRET', signingSecrets, {
    doc: 'Signing token(s) of the web hooks (whsec_…), newest first, separated by commas.',
    secret: true,
    setWhen: 'the service signs deliveries',
  }),
  hookMasterKeys: setting('BELLHOP_HOOK_MASTER_KEY', masterKeys, {
    doc: 'Master key(s) that the secrets of /hooks/<project id> are derived from, newest first, separated by commas; see bellhop hooks secret.',
    secret: true,
    setWhen: 'each project’s hook gets a secret of its own',
  }),
  hooksUrl: setting('BELLHOP_URL', optionalHttpUrl, {
    doc: 'Address of Bellhop for the hosting service. The dashboard, notifications, bellhop hooks and bellhop doctor recognize Bellhop’s hooks by it.',
    example: 'https://bellhop.example.com',
    setWhen: 'bellhop hooks installs the hooks',
  }),
} as const
