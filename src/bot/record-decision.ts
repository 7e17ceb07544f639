// Records a decision in the journal, the metrics and the log.
import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import type { DecisionRecord, Journal, MailboxEntry } from '../journal/types.ts'
import { passingFacts } from '../rules/passing-facts.ts'
import type { DecideInput, Decision } from '../rules/types.ts'
import type { Counting } from './counting.ts'

export interface RecordOptions {
  journal: Pick<Journal, 'saveDecision'>
  counting?: Counting | undefined
  now: () => number
}

/** What is recorded beside the decision itself; `unseenSince` is in milliseconds since 1970. */
export interface Circumstances {
  mail: MailboxEntry[]
  /** The id of the evaluation, which may make several decisions. */
  evaluation: string
  tookMs: number
  unseenSince?: number
}

/** Throws JournalUnavailable. */
export async function recordDecision(
  options: RecordOptions,
  input: DecideInput,
  decision: Decision,
  { mail, evaluation, tookMs, unseenSince }: Circumstances,
  log: Logger,
): Promise<void> {
  const facts = passingFacts(input)
  const replayOf = mail.flatMap(({ replay }) => (replay === undefined ? [] : [replay]))
  const entry: DecisionRecord = {
    ...decision,
    id: randomUUID(),
    mergeRequest: input.mergeRequest,
    at: new Date(options.now()).toISOString(),
    evaluation,
    deliveries: deliveriesOf(mail),
    ...(replayOf.length === 0 ? {} : { replayOf }),
    tookMs,
    ...(unseenSince === undefined ? {} : { waitedMs: options.now() - unseenSince }),
    ...(Object.keys(facts).length === 0 ? {} : { facts }),
  }
  await options.journal.saveDecision(entry)
  options.counting?.decision(entry)
  log.info(
    {
      event: 'decided',
      decision: entry.id,
      calls: decision.calls.length,
      holds: decision.rules.filter((rule) => rule.verdict === 'true').map((rule) => rule.name),
      tookMs,
    },
    'decided',
  )
}

/** A replay is no event: rules do not hear of it. */
export const happened = (mail: MailboxEntry[]) => mail.filter(({ replay }) => replay === undefined)

/** The ids of the deliveries that brought them. */
export const deliveriesOf = (mail: MailboxEntry[]) => [...new Set(happened(mail).map((each) => each.deliveryId))]
