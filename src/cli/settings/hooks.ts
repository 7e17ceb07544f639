// Settings of hooks: the secrets by which deliveries are known to be true.
import { httpUrl, list, masterKeys, signingSecrets } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const hooks = {
  hookSecrets: setting({
    variable: 'BELLHOP_HOOK_SECRET',
    flag: '--hook-secret',
    doc: 'Secret token(s) of the web hooks, newest first, separated by commas.',
    default: '',
    secret: true,
    neededBy: 'who has one secret for all hooks',
    read: list,
  }),
  signingSecrets: setting({
    variable: 'BELLHOP_SIGNING_SECRET',
    flag: '--signing-secret',
    doc: 'Signing token(s) of the web hooks (whsec_…), newest first, separated by commas.',
    default: '',
    secret: true,
    neededBy: 'who has a service that signs its deliveries',
    read: signingSecrets,
  }),
  hookMasterKeys: setting({
    variable: 'BELLHOP_HOOK_MASTER_KEY',
    flag: '--hook-master-key',
    doc: 'Master key(s) that the secrets of single projects’ hooks (/hooks/<project id>) are derived from, newest first, separated by commas; see bellhop hooks secret.',
    default: '',
    secret: true,
    neededBy: 'who registers many projects: each hook gets a secret of its own',
    read: masterKeys,
  }),
  hooksUrl: setting({
    variable: 'BELLHOP_URL',
    flag: '--url',
    doc: 'Address of Bellhop as the hosting service reaches it, by which the dashboard, and what BELLHOP_TELL_URL is told of disabled hooks, know which hooks are Bellhop’s; bellhop hooks and bellhop doctor use it as well.',
    example: 'https://bellhop.example.com',
    default: '',
    neededBy: 'who makes hooks by bellhop hooks, and looks at them on the dashboard',
    read: (text) => (text === '' ? text : httpUrl(text)),
  }),
} as const
