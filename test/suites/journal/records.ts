// The records that the journal suites save, of merge requests that no other test knows.
import { randomUUID } from 'node:crypto'
import type { Journal } from '../../../src/journal/journal.ts'
import type { BranchRef, StoredPush } from '../../../src/journal/tables/pushes.ts'
import type { DecisionRecord, DeliveryRecord, RuleFileRecord } from '../../../src/journal/types.ts'
import type { Event, MergeRequestRef, RuleTrace } from '../../../src/rules/types.ts'

export const DAY_MS = 86_400_000

let lastProject = 0

/** A merge request of a project that no other test knows. */
export function mergeRequest(): MergeRequestRef {
  lastProject += 1
  return { project: lastProject, iid: 7 }
}

export function event(kind = 'push'): Event {
  return { kind, actor: { username: 'ann' }, at: '2026-11-21T10:00:00.000Z' }
}

export function delivery(given: Partial<DeliveryRecord> = {}): DeliveryRecord {
  return {
    ...{ id: randomUUID(), receivedAt: '2026-11-21T10:00:00.000Z', header: 'Push Hook', bytes: 3 },
    ...{ state: 'received', mergeRequests: [], replays: [] },
    ...given,
  }
}

/** A delivery of a push. */
export async function savePush(
  { deliveries }: Pick<Journal, 'deliveries'>,
  { project, branch }: BranchRef,
  { id = randomUUID(), state = 'no_merge_request', ...push }: Partial<StoredPush & DeliveryRecord> = {},
): Promise<void> {
  const pushed = { project, branch, from: null, to: 'sha', by: {}, ...push }
  await deliveries.save(delivery({ id, state }), { push: pushed })
}

export function decision(of: MergeRequestRef, at: string, id: string = randomUUID()): DecisionRecord {
  const empty = { deliveries: [], rules: [], calls: [], responses: [], head: null, files: [] }
  return { id, mergeRequest: of, at, tookMs: 5, ...empty }
}

export function matchedRule(name: string, verdict: 'true' | 'false' = 'true'): RuleTrace {
  return {
    ...{ key: `f#${name}`, name, file: 'f', line: 1, verdict, became: false, fingerprint: '', actions: [] },
    conditions: { condition: 'all', verdict, expected: '', actual: '' },
  }
}

export function ruleFile({ project }: { project: number }): RuleFileRecord {
  const content = { ref: 'main', blob: null, text: null, problems: [], good: null }
  return { project, path: '.bellhop.yml', ...content, readAt: 'now' }
}

/** Reads every page of the list of deliveries. */
export function deliveriesOf(open: () => Journal) {
  return async function allDeliveries(
    filter: { project?: number; state?: DeliveryRecord['state'] },
    limit: number,
  ): Promise<DeliveryRecord[]> {
    const all: DeliveryRecord[] = []
    for (let after: string | undefined, pages = 0; pages < 100; pages += 1) {
      const page = await open().deliveries.list({ ...filter, limit, ...(after === undefined ? {} : { after }) })
      all.push(...page.items)
      if (page.next === undefined) return all
      after = page.next
    }
    throw new Error('The pages never end.')
  }
}
