// Notifies 30, 7 and 1 days before the bot's token expires, each once over all processes; housekeeping.ts asks hourly.
import { wholeService } from '../../journal/tables/marks.ts'
import type { Context } from '../context.ts'
import { daysLeft, expiresAt, type TokenExpiry } from '../service/bot-token.ts'
import { notify } from './notify.ts'

type ReadTokenExpiry = () => Promise<TokenExpiry>

/** The last notification. */
interface Mark {
  token: number
  date: string
  days: number
}

const expiryMark = 'token_expiry'
const steps = [1, 7, 30]

/** Throws JournalUnavailable, and ServiceError in an outage. No alarm if the service does not say when it expires. */
export async function checkTokenExpiry(context: Context, read: ReadTokenExpiry): Promise<void> {
  const { journal, counting, now, log } = context
  const expiry = await read()
  counting?.tokenExpires(expiry.is === 'on' ? expiresAt(expiry.date) : undefined)
  if (expiry.is !== 'on') return
  const { token, date } = expiry
  const left = daysLeft(expiry, now())
  const days = steps.find((each) => left <= each)
  if (days === undefined) return
  const before = await journal.marks.read<Mark>(wholeService, expiryMark)
  if (before?.token === token && before.date === date && before.days <= days) return
  log.warn({ event: 'service_token_expires', date, days }, 'the service token expires soon')
  // After a crash before the mark is written it is the same notification.
  const about = { expiresAt: date, daysLeft: Math.ceil(left) }
  await notify(context, { kind: 'token_expires', about }, JSON.stringify([token, date, days]))
  await journal.marks.write(wholeService, expiryMark, { token, date, days })
}
