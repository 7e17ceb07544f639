// Settings of queue and journal: where they are kept, and for how long.
import { positive, queueUrl, upTo999 } from '../setting-texts.ts'
import { setting } from './setting.ts'

export const queue = {
  queueUrl: setting({
    variable: 'BELLHOP_QUEUE_URL',
    flag: '--queue',
    doc: 'Where queue and journal are kept: embedded:DIR, redis://…, rediss://… or postgres://…',
    default: 'embedded:.bellhop',
    secret: true,
    neededBy: 'who runs for a company: redis://…',
    read: queueUrl,
  }),
  historyDays: setting({
    variable: 'BELLHOP_HISTORY_DAYS',
    flag: '--history-days',
    doc: 'How many days deliveries and decisions are kept; a project that sent nothing for so long is swept only where a rule file says so.',
    default: '30',
    neededBy: 'who must keep records longer, or has little room',
    read: upTo999,
  }),
  historyCount: setting({
    variable: 'BELLHOP_HISTORY_COUNT',
    flag: '--history-count',
    doc: 'How many deliveries, and how many decisions, are kept at most: of more the oldest are forgotten before their time.',
    default: '500000',
    neededBy: 'who has little room, or more than that in a month',
    read: positive,
  }),
  bodyHours: setting({
    variable: 'BELLHOP_BODY_HOURS',
    flag: '--body-hours',
    doc: 'How many hours the raw body of a delivery is kept; it may carry CI variables. Without it a delivery that concerned nobody cannot be read again.',
    default: '24',
    neededBy: 'who may keep it for less, or wants to read deliveries again for longer',
    read: upTo999,
  }),
} as const
