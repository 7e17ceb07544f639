// The calls that read and change the hooks of a project, of a group, or of the installation.
import type { Client } from '../../client/create-client.ts'
import type { HookProof, hookParams, proofParams, ShownHook } from './desired-hook.ts'
import type { HookTarget } from './targets.ts'

type HookBody = ReturnType<typeof hookParams>
type ProofBody = ReturnType<typeof proofParams> & HookProof & { url: string }

export interface HookCalls {
  list(): Promise<ShownHook[]>
  create(body: HookBody): Promise<ShownHook>
  update(hook_id: number, body: HookBody | ProofBody): Promise<ShownHook>
  delete(hook_id: number): Promise<void>
}

// Pages of 100 hooks.
const maxPages = 10

/** Each call throws ServiceError. */
export function hookCalls(client: Client, { id, of }: Pick<HookTarget, 'of'> & { id: number | string }): HookCalls {
  if (of === 'system') return ofInstallation(client)
  const calls = of === 'group' ? client.groups.hooks : client.projects.hooks
  return {
    list: async () =>
      of === 'group'
        ? (await client.pages(client.groups.hooks.list, { id }, { maxPages }).collect()).items
        : (await client.pages(client.projects.hooks.list, { id }, { maxPages }).collect()).items,
    create: async (body) => (await calls.create({ id, ...body })).body,
    update: async (hook_id, body) => (await calls.update({ id, hook_id, ...body })).body,
    delete: async (hook_id) => void (await calls.delete({ id, hook_id })),
  }
}

function ofInstallation(client: Client): HookCalls {
  const calls = client.systemHooks
  return {
    list: async () => (await client.pages(calls.list, {}, { maxPages }).collect()).items,
    create: async (body) => (await calls.create(systemPart(body))).body,
    update: async (hook_id, body) => (await calls.update({ hook_id, ...systemPart(body) })).body,
    delete: async (hook_id) => void (await calls.delete({ hook_id })),
  }
}

/** What system hooks know: few events. */
function systemPart(body: HookBody | ProofBody) {
  const { url, token, signing_token } = body
  const proof = { url, token, signing_token }
  if (!('push_events' in body)) return proof
  const { push_events, tag_push_events, merge_requests_events, enable_ssl_verification } = body
  return { ...proof, push_events, tag_push_events, merge_requests_events, enable_ssl_verification }
}
