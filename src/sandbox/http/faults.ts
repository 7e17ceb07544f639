// Fault switches: calls and git that fail; lost responses; hooks that are lost, doubled or held; merges that lie.
import { STATUS_CODES } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Response } from 'express'
import { endpointsByName } from '../../api/index.ts'
import { sendJson } from './error-response.ts'

/** The fault of an authenticated, valid call. */
export type CallFault =
  /** Handled late, even if the caller has gone. */
  | { delayMs: number }
  /** Responds with this, unhandled or, with `handled: true`, after the effect. */
  | { status: number; headers?: Record<string, string>; body?: string | object; handled?: boolean }
  /** Changes a successful body, as another version of the service would. */
  | { rewrite: (body: unknown) => unknown }
  /** Adds headers, computed at the response. */
  | { addHeaders: () => Record<string, string> }
  /** The connection breaks before the effect, after it, or halfway through the response. */
  | 'drop'
  | 'lose_response'
  | 'half_body'
  /** Never handled, no response. */
  | 'stall'

/** Not sent, sent twice under one id, or held until released. */
export type HookFault = 'drop' | 'double' | 'hold'

/** Lands another tree than the right one. */
export type MergeFault = 'wrong_tree'

interface Switch {
  /** Without it, always. */
  times?: number
  /** Probability from 0 to 1, drawn from `random`. */
  chance?: number
}
export interface CallSwitch extends Switch {
  /** As in the contract: `mergeRequests.accept`. */
  endpoint?: string
  caller?: string
  do: CallFault
}
export interface HookSwitch extends Switch {
  /** The payload's `object_kind`. */
  event?: string
  do: HookFault
}
export interface MergeSwitch extends Switch {
  do: MergeFault
}

export type Faults = ReturnType<typeof createFaults>['faults']
export type FaultSource = ReturnType<typeof createFaults>['source']

/** `random` returns numbers in [0, 1); seeded, so that a run can be repeated. */
export function createFaults(random?: () => number) {
  const calls = createSwitches<CallSwitch>(random)
  const hooks = createSwitches<HookSwitch>(random)
  const merges = createSwitches<MergeSwitch>(random)
  const git = createSwitches<Switch & { do: { status: number } }>(random)
  let held: (() => void)[] = []
  return {
    faults: {
      /** The first matching switch applies. Returns its removal. Throws for an unknown endpoint. */
      api(fault: CallSwitch): () => void {
        if (fault.endpoint !== undefined && !endpointsByName.has(fault.endpoint))
          throw new Error(`no endpoint ${fault.endpoint}`)
        return calls.add(fault)
      },
      hooks: hooks.add,
      merges: merges.add,
      git: git.add,
      /** Sends held deliveries, newest first. */
      releaseHooks(): void {
        const sends = held.reverse()
        held = []
        for (const send of sends) send()
      },
      /** Removes all switches; held deliveries stay held. */
      clear(): void {
        for (const switches of [calls, hooks, merges, git]) switches.clear()
      },
    },
    source: {
      ofCall: ({ endpoint, caller }: { endpoint: string; caller: string | null }) =>
        calls.draw((fault) => (fault.endpoint ?? endpoint) === endpoint && (fault.caller ?? caller) === caller)?.do,
      ofMerge: () => merges.draw(() => true)?.do,
      ofGit: () => git.draw(() => true)?.do,
      ofHook: (event: string) => hooks.draw((fault) => (fault.event ?? event) === event)?.do,
      /** Holds a delivery until it is released. */
      hold: (send: () => void) => void held.push(send),
    },
  }
}

function createSwitches<S extends Switch>(random: (() => number) | undefined) {
  let set: { fault: S; left: number }[] = []
  const chance = ({ chance: wanted }: S) => wanted === undefined || (random?.() ?? 1) < wanted
  return {
    add(fault: S): () => void {
      if (fault.chance !== undefined && random === undefined)
        throw new Error('a chance needs the sandbox’s option `random`')
      const entry = { fault, left: fault.times ?? Number.POSITIVE_INFINITY }
      set.push(entry)
      return () => {
        set = set.filter((each) => each !== entry)
      }
    },
    draw(fits: (fault: S) => boolean): S | undefined {
      const entry = set.find(({ fault }) => fits(fault) && chance(fault))
      if (entry === undefined) return undefined
      entry.left -= 1
      if (entry.left <= 0) set = set.filter((each) => each !== entry)
      return entry.fault
    },
    clear() {
      set = []
    },
  }
}

/** Before the call is handled. Returns true when the call is over. */
export async function faultBefore(fault: CallFault, response: Response): Promise<boolean> {
  if (fault === 'drop') response.destroy()
  if (fault === 'drop' || fault === 'stall') return true
  if (fault === 'lose_response' || fault === 'half_body') breakOff(response, fault === 'half_body')
  else if ('delayMs' in fault) await delay(fault.delayMs)
  else if ('status' in fault && fault.handled !== true) {
    answerAs(fault, response)
    return true
  }
  return false
}

/** After the call was handled. Returns a rewriter of the body, or true when the fault has responded. */
export function faultAfter(fault: CallFault, response: Response): true | ((body: unknown) => unknown) {
  if (typeof fault === 'object' && 'status' in fault) {
    answerAs(fault, response)
    return true
  }
  if (typeof fault === 'object' && 'addHeaders' in fault) response.set(fault.addHeaders())
  return typeof fault === 'object' && 'rewrite' in fault ? fault.rewrite : (body) => body
}

function answerAs({ status, headers = {}, body }: Extract<CallFault, { status: number }>, response: Response) {
  response.set(headers)
  if (typeof body === 'string') response.status(status).end(body)
  else sendJson(response, status, body ?? { message: `${status} ${STATUS_CODES[status] ?? ''}`.trim() })
}

/** Breaks the connection instead of the response, or halfway. */
function breakOff(response: Response, halfway: boolean) {
  const end = (chunk?: unknown, encoding?: unknown): Response => {
    const bytes =
      typeof chunk === 'string'
        ? Buffer.from(chunk, typeof encoding === 'string' ? (encoding as BufferEncoding) : 'utf8')
        : chunk
    if (halfway && Buffer.isBuffer(bytes))
      response.write(bytes.subarray(0, bytes.length >> 1), () => response.destroy())
    else response.destroy()
    return response
  }
  response.end = end as Response['end']
}
