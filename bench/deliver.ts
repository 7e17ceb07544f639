// One delivery to a running bot, and what stands in it.
import { hookSecret } from './bot.ts'

/** What is sent for a change of a merge request's description; no two are the same. */
export function mergeRequestBody(iid: number, project = 7): string {
  return JSON.stringify({
    ...{
      object_kind: 'merge_request',
      event_type: 'merge_request',
      user: { id: 2, username: 'alice' },
      project: { id: project },
    },
    object_attributes: {
      ...{
        id: 1000 * (project - 6) + iid,
        iid,
        action: 'update',
        state: 'opened',
        title: 'Mend the door',
        target_project_id: project,
        source_project_id: project,
      },
      ...{ source_branch: `b-${iid}`, target_branch: 'main', last_commit: { id: 'a'.repeat(40) } },
    },
    changes: { description: { previous: '', current: crypto.randomUUID() } },
  })
}

/** Sends it; gives its id when it is taken. */
export async function deliver(url: string, iid: number, project = 7): Promise<string> {
  const response = await fetch(`${url}/hooks`, {
    method: 'POST',
    headers: {
      'x-gitlab-token': hookSecret,
      'x-gitlab-event': 'Merge Request Hook',
      'idempotency-key': crypto.randomUUID(),
    },
    body: mergeRequestBody(iid, project),
  })
  if (response.status !== 202) throw new Error(`not taken: ${response.status} ${await response.text()}`)
  return ((await response.json()) as { id: string }).id
}
