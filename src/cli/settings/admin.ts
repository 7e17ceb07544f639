// Settings of the desk: admin tokens, metrics, notices.
import { readAdminTokens } from '../../admin/tokens.ts'
import { metricsAccess, receiverUrl, signingSecrets, trimmed } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const admin = {
  adminToken: setting({
    variable: 'BELLHOP_ADMIN_TOKEN',
    flag: '--admin-token',
    doc: 'A token of the admin API that may do everything, by the name of admin; without any token the admin API lets nobody in.',
    default: '',
    secret: true,
    neededBy: 'who looks at deliveries and decisions, alone',
    read: trimmed,
  }),
  adminTokens: setting({
    variable: 'BELLHOP_ADMIN_TOKENS',
    flag: '--admin-tokens',
    doc: 'Tokens of the admin API with names and scopes (read, replay, manage), separated by commas; the name stands in the audit log.',
    example: 'ann:read+replay+manage:…,monitoring:read:…',
    default: '',
    secret: true,
    neededBy: 'who looks at them as one of several, or has a program do it',
    read: readAdminTokens,
  }),
  metrics: setting({
    variable: 'BELLHOP_METRICS',
    flag: '--metrics',
    doc: 'Who may read /metrics: token (whoever has an admin token with the scope read) or open (everybody who reaches the port).',
    default: 'token',
    neededBy: 'who has a Prometheus that sends no token, and nobody else on the port',
    read: metricsAccess,
  }),
  tellUrl: setting({
    variable: 'BELLHOP_TELL_URL',
    flag: '--tell-url',
    doc: 'Address to which is posted what an operator should know: failed jobs, an outage, a rejected token, broken rule files, disabled hooks.',
    example: 'https://chat.example.com/hooks/…',
    default: '',
    secret: true,
    neededBy: 'who wants to be told, by a chat tool or a program, instead of looking',
    read: receiverUrl,
  }),
  tellSecrets: setting({
    variable: 'BELLHOP_TELL_SECRET',
    flag: '--tell-secret',
    doc: 'Signing token(s) (whsec_…) of what is posted to BELLHOP_TELL_URL, separated by commas; each signs.',
    default: '',
    secret: true,
    neededBy: 'a receiver that checks who posts to it',
    read: signingSecrets,
  }),
} as const
