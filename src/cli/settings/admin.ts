// Settings: admin tokens, metrics, notifications.
import { readAdminTokens } from '../../admin/access/authenticate.ts'
import { metricsAccess, receiverUrl, setting, signingSecrets, trimmed } from './setting.ts'

export const admin = {
  adminToken: setting('BELLHOP_ADMIN_TOKEN', trimmed, {
    doc: 'Token of the admin API with all scopes and the name admin; without any token the admin API refuses everyone.',
    secret: true,
    setWhen: 'one person uses dashboard and commands',
  }),
  adminTokens: setting('BELLHOP_ADMIN_TOKENS', readAdminTokens, {
    doc: 'Tokens of the admin API with names and scopes (read, replay, manage), separated by commas; the audit log shows the name.',
    example: 'ann:read+replay+manage:…,monitoring:read:…',
    secret: true,
    setWhen: 'several people or programs use the admin API',
  }),
  metrics: setting('BELLHOP_METRICS', metricsAccess, {
    doc: 'Who may read /metrics: token (an admin token with the scope read) or open (everyone who reaches the port).',
    default: 'token',
    setWhen: 'Prometheus sends no token and nobody else reaches the port',
  }),
  notifyUrl: setting('BELLHOP_NOTIFY_URL', receiverUrl, {
    doc: 'Address that receives notifications for operators: failed jobs, outages, a rejected token, broken rule files, disabled hooks.',
    example: 'https://chat.example.com/hooks/…',
    secret: true,
    setWhen: 'a chat tool or a program should be notified',
  }),
  chats: setting('BELLHOP_CHATS', trimmed, {
    doc: 'A YAML file that names the chats that rules may post to, each with its address and the projects that may use it; see docs/chats.md.',
    example: '/etc/bellhop/chats.yml',
    setWhen: 'rules post to a chat (`notify`)',
  }),
  notifySecrets: setting('BELLHOP_NOTIFY_SECRET', signingSecrets, {
    doc: 'Signing token(s) (whsec_…) of notifications, separated by commas; each adds a signature.',
    secret: true,
    setWhen: 'the receiver verifies who sends',
  }),
} as const
