// Takes note of what the service is asked and how its records change, in one row of numbers.

import type { Gate } from '../src/sandbox/http/serve-api.ts'
import type { Sandbox } from '../src/sandbox/start-sandbox.ts'
import { emptyRecord, type SoakRecord } from './record.ts'

export interface Recorder {
  record: SoakRecord
  /** The next place in the row. */
  next(): number
  /** To start the sandbox with. */
  gate: Gate
  /** Takes no note of a project, where other promises are checked. */
  ignore(project: number): void
  /** Follows the records of merge requests, pipelines and notes from now on. */
  follow(sandbox: Sandbox, bot: SoakRecord['bot']): Promise<void>
  /** When the bot called last, in milliseconds since 1970. */
  lastCall(): number
}

export function createRecorder(): Recorder {
  const record = emptyRecord()
  let last = 0
  let lastCall = 0
  const ignored = new Set<unknown>()
  const next = () => {
    last += 1
    return last
  }
  return {
    record,
    next,
    lastCall: () => lastCall,
    ignore: (project) => void ignored.add(project),
    async gate({ endpoint, params, caller }) {
      if (!ignored.has(params.id)) record.calls.push({ at: next(), endpoint, params, caller })
      if (caller === record.bot.username) lastCall = Date.now()
    },
    async follow(sandbox, bot) {
      record.bot = bot
      await sandbox.within(async (world) => {
        world.mergeRequests.watch((id) => {
          const mergeRequest = world.mergeRequests.get(id)
          if (mergeRequest !== undefined && !ignored.has(mergeRequest.project_id))
            record.changes.push({ at: next(), mergeRequest })
        })
        world.pipelines.watch((id) => {
          const found = world.pipelines.get(id)
          if (found === undefined || ignored.has(found.project_id)) return
          const { project_id: project, sha, ref, status } = found
          record.pipelines.push({ at: next(), id, project, sha, ref, status })
        })
        const places = new Map<number, { mergeRequest: number; author: number }>()
        world.notes.watch((id) => {
          const note = world.notes.get(id)
          if (note?.noteable_type === 'MergeRequest')
            places.set(id, { mergeRequest: note.noteable_id, author: note.author_id })
          const place = places.get(id)
          if (place !== undefined) record.notes.push({ at: next(), id, ...place, body: note?.body ?? null })
        })
      })
    },
  }
}
