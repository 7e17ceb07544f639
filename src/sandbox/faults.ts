// Switches that make the service misbehave: calls that fail or lose their answer, hooks that are lost, doubled or late (DESIGN §6).
import type { Method } from '../api/endpoint.ts'
import { endpointsByName } from '../api/index.ts'

/** What goes wrong with a call that was signed in and read. */
export type CallFault =
  /** Handled this much later, whether or not the caller still waits. */
  | { delayMs: number }
  /** Answered so: unhandled, or with `handled: true` after it had its effect. */
  | { status: number; headers?: Record<string, string>; body?: string | object; handled?: boolean }
  /** A success says something else: as an older or newer service would. */
  | { rewrite: (body: unknown) => unknown }
  /** Answered as it is, with these headers besides; asked when it is answered. */
  | { addHeaders: () => Record<string, string> }
  /** The connection breaks before anything is done; after all is done; in the middle of the answer. */
  | 'drop'
  | 'lose answer'
  | 'half body'
  /** Never handled, never answered. */
  | 'stall'

/** What goes wrong with a delivery: not sent, sent twice under one id, kept back until it is released (others pass it), or late. */
export type HookFault = 'drop' | 'double' | 'hold' | { delayMs: number }

interface Switch {
  /** How often; for ever without it. */
  times?: number
  /** From 0 to 1: how likely each time, drawn from the sandbox's `random`. */
  chance?: number
}
export interface CallSwitch extends Switch {
  /** As in the contract: `mergeRequests.accept`. */
  endpoint?: string
  method?: Method
  /** The user name of who calls. */
  caller?: string
  do: CallFault
}
export interface HookSwitch extends Switch {
  /** The payload's `object_kind`: `merge_request`. */
  event?: string
  do: HookFault
}

/** What a test switches. */
export interface Faults {
  /** Sets a switch for API calls; the first that fits counts. Gives what takes it back. Throws for an unknown endpoint. */
  api(fault: CallSwitch): () => void
  /** Sets a switch for hooks. Gives what takes it back. */
  hooks(fault: HookSwitch): () => void
  /** Sends what was held, the newest first. */
  releaseHooks(): void
  /** Takes all switches back; what is held stays held. */
  clear(): void
}

/** What the sandbox asks before it answers or sends. */
export interface FaultSource {
  ofCall(call: { endpoint: string; method: Method; caller: string | null }): CallFault | undefined
  ofHook(event: string): HookFault | undefined
  /** Keeps a delivery until it is released. */
  hold(send: () => void): void
}

/** `random` gives numbers from 0 up to, not including, 1: seeded, so that a run can be repeated. */
export function createFaults(random?: () => number): { faults: Faults; source: FaultSource } {
  const calls = createSwitches<CallSwitch>(random)
  const hooks = createSwitches<HookSwitch>(random)
  let held: (() => void)[] = []
  return {
    faults: {
      api(fault) {
        if (fault.endpoint !== undefined && !endpointsByName.has(fault.endpoint)) throw new Error(`no endpoint ${fault.endpoint}`)
        return calls.add(fault)
      },
      hooks: (fault) => hooks.add(fault),
      releaseHooks() {
        const sends = held.reverse()
        held = []
        for (const send of sends) send()
      },
      clear() {
        calls.clear()
        hooks.clear()
      },
    },
    source: {
      ofCall: ({ endpoint, method, caller }) =>
        calls.draw(
          (fault) =>
            (fault.endpoint ?? endpoint) === endpoint &&
            (fault.method ?? method) === method &&
            (fault.caller === undefined || fault.caller === caller),
        )?.do,
      ofHook: (event) => hooks.draw((fault) => (fault.event ?? event) === event)?.do,
      hold: (send) => void held.push(send),
    },
  }
}

function createSwitches<S extends Switch>(random: (() => number) | undefined) {
  let set: { fault: S; left: number }[] = []
  const chance = ({ chance: wanted }: S): boolean => wanted === undefined || (random?.() ?? 1) < wanted
  return {
    add(fault: S): () => void {
      if (fault.chance !== undefined && random === undefined) throw new Error('a chance needs the sandbox’s option `random`')
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
