// Which merge requests an event is about: one that it names, or those of a branch.
import type { Client } from '../client/create-client.ts'
import { stableFacts } from '../rules/stable.ts'
import type { MergeRequestRef, StableFacts } from '../rules/types.ts'
import type { CallsAtOnce } from './calls-at-once.ts'
import type { Concern } from './read-event.ts'

interface FindOptions {
  service: string
  client: Client
  inTurn: CallsAtOnce
}

// Pages read to find the merge requests of a branch.
const maxPages = 5

/** A merge request that an event is about, with what is said of its stable facts: by the delivery, or by the service where it was looked up. */
export interface Found {
  ref: MergeRequestRef
  stable: StableFacts | undefined
}

/** Those that an event concerns; of a branch the open ones whose head it is, as the service lists them when it is its turn. Throws what the client throws. */
export async function findMergeRequests(options: FindOptions, concern: Concern, stable: StableFacts | undefined): Promise<Found[]> {
  if (concern.about === 'nobody') return []
  if (concern.about === 'branch') return options.inTurn(() => findOfBranch(options, concern))
  return [{ ref: { service: options.service, project: concern.project, iid: concern.iid }, stable }]
}

async function findOfBranch({ client, service }: FindOptions, concern: Extract<Concern, { about: 'branch' }>): Promise<Found[]> {
  const found: Found[] = []
  const params = { id: concern.project, state: 'opened', source_branch: concern.branch } as const
  for await (const page of client.pages(client.mergeRequests.list, params, { maxPages })) {
    for (const each of page.body) {
      // `source_branch` is not on the page: a service that ignores it answers with all of them.
      if (each.iid === undefined || each.source_branch !== concern.branch || (each.state !== 'opened' && each.state !== 'reopened'))
        continue
      if (concern.sha !== undefined && each.sha !== undefined && each.sha !== concern.sha) continue
      found.push({ ref: { service, project: each.target_project_id ?? concern.project, iid: each.iid }, stable: stableFacts(each) })
    }
  }
  return found
}
