// What the demo reads of the hosting service, and the deliveries that it sends itself.
import { askStatus } from '../service/ask-status.ts'
import type { SmallWorld } from './small-world.ts'

export async function mergeRequest({ service, project }: SmallWorld, iid: number) {
  return (await service.mergeRequests.get({ id: project, merge_request_iid: iid })).body
}

export async function approvers(world: SmallWorld, iid: number): Promise<(string | undefined)[]> {
  const { body } = await world.service.mergeRequests.approvals({ id: world.project, merge_request_iid: iid })
  return (body.approved_by ?? []).map((each) => each.user?.username)
}

export async function branchExists(world: SmallWorld, branch: string): Promise<boolean> {
  const { items } = await world.service
    .pages(world.service.repository.branches.list, { id: world.project }, { maxPages: 10 })
    .collect()
  return items.some((each) => each.name === branch)
}

export async function fileOnMaster(world: SmallWorld, path: string): Promise<string> {
  return (await world.service.repository.files.raw({ id: world.project, file_path: path, ref: 'master' })).body
}

export function post({ bellhop }: SmallWorld, body: string, headers: Record<string, string>) {
  const all = { 'content-type': 'application/json', 'x-gitlab-event': 'Merge Request Hook', ...headers }
  return askStatus(`${bellhop.url}/hooks`, 60_000, { method: 'POST', body, headers: all })
}
