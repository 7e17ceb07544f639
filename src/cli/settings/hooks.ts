// Settings: secrets of web hooks.
import { httpUrl, list, masterKeys, setting, signingSecrets } from './setting.ts'

export const hooks = {
  hookSecrets: setting({
    variable: 'BELLHOP_HOOK_SECRET',
    doc: 'Secret token(s) of the web hooks, newest first, separated by commas.',
    secret: true,
    setWhen: 'all hooks share one secret',
    read: list,
  }),
  signingSecrets: setting({
    variable: 'BELLHOP_SIGNING_SECRET',
    doc: 'Signing token(s) of the web hooks (whsec_…), newest first, separated by commas.',
    secret: true,
    setWhen: 'the service signs deliveries',
    read: signingSecrets,
  }),
  hookMasterKeys: setting({
    variable: 'BELLHOP_HOOK_MASTER_KEY',
    doc: 'Master key(s) that the secrets of /hooks/<project id> are derived from, newest first, separated by commas; see bellhop hooks secret.',
    secret: true,
    setWhen: 'each project’s hook gets a secret of its own',
    read: masterKeys,
  }),
  hooksUrl: setting({
    variable: 'BELLHOP_URL',
    doc: 'Address of Bellhop for the hosting service. The dashboard, notifications, bellhop hooks and bellhop doctor recognize Bellhop’s hooks by it.',
    example: 'https://bellhop.example.com',
    setWhen: 'bellhop hooks installs the hooks',
    read: (text) => (text === '' ? text : httpUrl(text)),
  }),
} as const
