// The options of the dashboard.
import type { Logger } from 'pino'
import type { Authenticator } from '../../access/authenticate.ts'
import type { AdminContext } from '../../admin-context.ts'
import type { createSessions } from '../session/session.ts'
import type { LiveOptions } from './live.ts'

export interface AdminPagesOptions {
  authenticator: Authenticator
  sessions: ReturnType<typeof createSessions>
  context: AdminContext
  now: () => number
  log: Logger
  /** The URL at which browsers reach the bot; empty if unknown. */
  publicUrl: string
  live: LiveOptions
}
