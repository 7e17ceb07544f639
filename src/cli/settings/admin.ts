// Settings: admin tokens, metrics, notifications.
import { readAdminTokens } from '../../admin/access/authenticate.ts'
import { metricsAccess, receiverUrl, setting, signingSecrets, trimmed } from './setting.ts'

export const admin = {
  adminToken: setting({
    variable: 'BELLHOP_ADMIN_TOKEN',
    doc: 'Token of the admin API with all scopes and the name admin; without any token the admin API refuses everyone.',
    secret: true,
    setWhen: 'one person uses dashboard and commands',
    read: trimmed,
  }),
  adminTokens: setting({
    variable: 'BELLHOP_ADMIN_TOKENS',
    doc: 'Tokens of the admin API with names and scopes (read, replay, manage), separated by commas; the audit log shows the name.',
    example: 'ann:read+replay+manage:…,monitoring:read:…',
    secret: true,
    setWhen: 'several people or programs use the admin API',
    read: readAdminTokens,
  }),
  metrics: setting({
    variable: 'BELLHOP_METRICS',
    doc: 'Who may read /metrics: token (an admin token with the scope read) or open (everyone who reaches the port).',
    default: 'token',
    setWhen: 'Prometheus sends no token and nobody else reaches the port',
    read: metricsAccess,
  }),
  notifyUrl: setting({
    variable: 'BELLHOP_NOTIFY_URL',
    doc: 'Address that receives notifications for operators: failed jobs, outages, a rejected token, broken rule files, disabled hooks.',
    example: 'https://chat.example.com/hooks/…',
    secret: true,
    setWhen: 'a chat tool or a program should be notified',
    read: receiverUrl,
  }),
  chats: setting({
    variable: 'BELLHOP_CHATS',
    doc: 'A YAML file that names the chats that rules may post to, each with its address and the projects that may use it; see docs/chats.md.',
    example: '/etc/bellhop/chats.yml',
    setWhen: 'rules post to a chat (`notify`)',
    read: trimmed,
  }),
  notifySecrets: setting({
    variable: 'BELLHOP_NOTIFY_SECRET',
    doc: 'Signing token(s) (whsec_…) of notifications, separated by commas; each adds a signature.',
    secret: true,
    setWhen: 'the receiver verifies who sends',
    read: signingSecrets,
  }),
} as const
