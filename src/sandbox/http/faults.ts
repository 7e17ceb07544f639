// Fault switches: calls and git that fail; lost responses; hooks that are lost, doubled or late; merges that lie.
import { endpointsByName } from '../../api/index.ts'

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

/** Not sent, sent twice under one id, held until released, or late. */
export type HookFault = 'drop' | 'double' | 'hold' | { delayMs: number }

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
/** Git over HTTP answers every caller with this status. */
interface GitSwitch extends Switch {
  do: { status: number }
}

export type Faults = ReturnType<typeof createFaults>['faults']
export type FaultSource = ReturnType<typeof createFaults>['source']

/** `random` returns numbers in [0, 1); seeded, so that a run can be repeated. */
export function createFaults(random?: () => number) {
  const calls = createSwitches<CallSwitch>(random)
  const hooks = createSwitches<HookSwitch>(random)
  const merges = createSwitches<MergeSwitch>(random)
  const git = createSwitches<GitSwitch>(random)
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
