// A recorded delivery as the event of a rule test, with what it says of the merge request or issue.
import { readPayload } from '../../api/hooks.ts'
import { readEvent } from '../../bot/intake/events/read-event.ts'
import { issueRef } from '../../rules/facts/definition/subject-ref.ts'
import { createView } from '../../rules/facts/reading/fact-view.ts'
import type { Subject } from '../../rules/language/values/rule-types.ts'
import { isMap } from '../../rules/language/values/shapes.ts'
import type { OverrideValue } from '../../rules/testing/overrides.ts'
import type { RuleTest } from '../../rules/testing/test-types.ts'
import { bareInput } from '../explain/bare-input.ts'
import { UsageError } from '../user-error.ts'

/** Facts that a delivery contains completely; others stay as the test gives them. */
const deliveryFacts = [
  'title',
  'description',
  'source_branch',
  'target_branch',
  'state',
  'draft',
  'labels',
  'from_fork',
  'head',
  'mergeability',
  'confidential',
  'weight',
]

const titleOf = (label: unknown) => (isMap(label) ? (label.title ?? label.name) : label)

/** The payload's merge request or issue in the shape of an API response; undefined if it is about none. */
function bodyOf(payload: unknown, subject: Subject): Record<string, unknown> | undefined {
  if (!isMap(payload)) return undefined
  // Issues, incidents, tasks and others, since 17.2.
  const kind = payload.object_kind === 'work_item' ? 'issue' : payload.object_kind
  const own = kind === subject ? payload.object_attributes : payload[subject]
  if (!isMap(own)) return undefined
  const labels = Array.isArray(payload.labels) ? payload.labels : own.labels
  return {
    ...own,
    ...(isMap(own.last_commit) ? { sha: own.last_commit.id } : {}),
    ...(Array.isArray(labels) ? { labels: labels.map(titleOf) } : {}),
  }
}

function factsIn(payload: unknown, subject: Subject): Record<string, OverrideValue> {
  const body = bodyOf(payload, subject)
  if (body === undefined) return {}
  const ref = subject === 'issue' ? issueRef(1, 1) : { project: 1, iid: 1 }
  const view = createView(bareInput(ref, { mergeRequest: { ok: true, body, complete: true } }))
  return Object.fromEntries(
    deliveryFacts.flatMap((name) => {
      const value = view.fact(name)
      return value.is === 'known' ? [[name, value] as const] : []
    }),
  )
}

/** The test with the delivery as its event; what the test gives wins. */
export function withDelivery(test: RuleTest, text: string, file: string): RuleTest {
  const read = readPayload(text)
  if (!read.ok) throw new UsageError(`${file}: ${read.reason}`)
  const { event } = readEvent(read.payload, '1970-01-01T00:00:00Z')
  const comment = test.event?.comment ?? (event.note === undefined ? undefined : read.payload.object_attributes?.note)
  return {
    ...test,
    given: { ...test.given, facts: { ...factsIn(JSON.parse(text), test.subject), ...test.given.facts } },
    event: {
      kind: event.kind,
      access: test.event?.access ?? 'developer',
      changed: event.changed ?? [],
      actor: test.event?.actor ?? event.actor.username,
      comment,
      ref: test.event?.ref ?? event.ref,
      refChange: test.event?.refChange ?? event.refChange,
    },
  }
}
