// A sandbox with `keep`, which a test stops and starts again.
import { join } from 'node:path'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start-sandbox.ts'
import type { SandboxClock } from '../../../src/sandbox/storage/schedule.ts'
import { ownFolder } from '../../cli/own-folder.ts'
import { prepareDatabase } from '../../prepared-database.ts'
import { callApi, type Json } from '../sandbox-world.ts'

export type KeptWorld = Awaited<ReturnType<typeof openKeptWorld>>

export async function openKeptWorld(first?: SandboxClock) {
  const { folder } = ownFolder()
  await prepareDatabase(join(folder, 'records'))
  let token = 'root-token'
  let sandbox: Sandbox = await startSandbox({ rootToken: token, folder, keep: true, ...(first && { clock: first }) })
  const port = Number(new URL(sandbox.url).port)
  onTestFinished(() => sandbox.close())

  async function call(method: string, path: string, given?: unknown, as = token) {
    const { status, body } = await callApi(sandbox.url, method, path, given, as)
    return { status, body }
  }
  return {
    folder,
    call,
    /** The sandbox that runs at present. */
    sandbox: () => sandbox,
    /** As call, for what has to succeed. */
    async done(method: string, path: string, body?: unknown, as?: string): Promise<Json> {
      const answer = await call(method, path, body, as)
      expect(answer.status, `${method} ${path}: ${JSON.stringify(answer.body)}`).toBeLessThan(400)
      return answer.body
    },
    stop: () => sandbox.close(),
    /** Starts again on the same folder and port, so that no address in an answer changes. */
    async start(rootToken = token, clock?: SandboxClock): Promise<void> {
      token = rootToken
      sandbox = await startSandbox({ rootToken, folder, port, keep: true, ...(clock && { clock }) })
    },
  }
}

/** The contents of a commit through the API. */
export const writes = (branch: string, files: Record<string, string>, start_branch?: string) => ({
  branch,
  commit_message: `Write ${Object.keys(files).join(', ')}`,
  actions: Object.entries(files).map(([file_path, content]) => ({ action: 'create', file_path, content })),
  ...(start_branch !== undefined && { start_branch }),
})
