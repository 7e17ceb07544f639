// Finds the merge requests of an event: the one it names, or those of a branch.
import type { LimitFunction } from 'p-limit'
import type { Client } from '../../client/create-client.ts'
import { stableFacts } from '../../rules/facts/reading/stable-facts.ts'
import type { MergeRequestRef, StableFacts } from '../../rules/types.ts'
import type { Concern } from './read-event.ts'

interface FindOptions {
  service: string
  client: Client
  limitConcurrency: LimitFunction
}

const maxPages = 5

/** With the stable facts that the delivery or the service states. */
export interface FoundMergeRequest {
  ref: MergeRequestRef
  stable: StableFacts | undefined
}

/** For a branch: the open merge requests whose head it is. Throws what the client throws. */
export async function findMergeRequests(
  options: FindOptions,
  concern: Concern,
  stable: StableFacts | undefined,
): Promise<FoundMergeRequest[]> {
  if (concern.about === 'none') return []
  if (concern.about === 'branch') return options.limitConcurrency(() => findByBranch(options, concern))
  return [{ ref: { service: options.service, project: concern.project, iid: concern.iid }, stable }]
}

async function findByBranch(
  { client, service }: FindOptions,
  concern: Extract<Concern, { about: 'branch' }>,
): Promise<FoundMergeRequest[]> {
  const found: FoundMergeRequest[] = []
  const params = { id: concern.project, state: 'opened', source_branch: concern.branch } as const
  for await (const page of client.pages(client.mergeRequests.list, params, { maxPages })) {
    for (const each of page.body) {
      // A service may ignore the filter `source_branch` and list all.
      if (
        each.iid === undefined ||
        each.source_branch !== concern.branch ||
        (each.state !== 'opened' && each.state !== 'reopened')
      )
        continue
      if (concern.sha !== undefined && each.sha !== undefined && each.sha !== concern.sha) continue
      found.push({
        ref: { service, project: each.target_project_id ?? concern.project, iid: each.iid },
        stable: stableFacts(each),
      })
    }
  }
  return found
}
