// Reads a project's past from its events: when merge requests became ready, how long pipelines took, how many failed.

/** The fields of an event that are read. */
export interface PastEvent {
  kind: string
  /** ISO 8601. */
  at: string
  iid?: number
  head?: string
  target?: string
  ref?: string
  pipeline?: { id: number; sha: string }
}

export interface Share {
  /** How many of `among`. */
  count: number
  among: number
}

export interface Past {
  /** The branch that the merge requests were merged into. */
  target: string
  /** When each became ready, in milliseconds since 1970, in order. */
  arrivals: readonly number[]
  /** How long each pipeline took, in milliseconds. */
  pipelines: readonly number[]
  /** Pipelines that failed, among all of commits that also had a green one. */
  flaky: Share
  /** Commits of the target that were red after a green one, among all that were tested. */
  bad: Share
  /** How many were merged into each branch. */
  merges: ReadonlyMap<string, number>
}

interface Run {
  sha: string
  ref: string | undefined
  isGreen: boolean
}

const running = new Set(['created', 'waiting_for_resource', 'preparing', 'pending', 'running'])

/** `events`: oldest first. Without a target, the branch that most were merged into counts. */
export function readPast(events: readonly PastEvent[], target?: string): Past {
  const merged = events.filter(({ kind }) => kind === 'merge_request.merge')
  const merges = new Map<string, number>()
  for (const { target: into } of merged) if (into !== undefined) merges.set(into, (merges.get(into) ?? 0) + 1)
  const [most] = [...merges].sort(([, one], [, other]) => other - one)
  const branch = target ?? most?.[0] ?? ''
  const { durations, runs } = readPipelines(events)
  return {
    target: branch,
    arrivals: readArrivals(events, branch),
    pipelines: durations,
    flaky: flakyShare(runs),
    bad: badShare(runs.filter(({ ref }) => ref === branch)),
    merges,
  }
}

const readies = new Set(['pipeline.success', 'merge_request.approved', 'merge_request.approval'])

/** The times of the last approval or green pipeline before each merge; else of the merge itself. */
function readArrivals(events: readonly PastEvent[], branch: string): number[] {
  // The keys are merge requests and commits: the pipeline of a branch names no merge request.
  const ready = new Map<number | string | undefined, string>()
  const arrivals: string[] = []
  for (const { kind, at, iid, head, target, pipeline } of events) {
    if (readies.has(kind)) {
      ready.set(iid, at)
      ready.set(pipeline?.sha, at)
      ready.delete(undefined)
    }
    if (kind !== 'merge_request.merge' || target !== branch) continue
    const known = [ready.get(iid), ready.get(head)].filter((each) => each !== undefined)
    arrivals.push(known.sort().at(-1) ?? at)
  }
  return arrivals.map((each) => Date.parse(each)).sort((a, b) => a - b)
}

/** Durations from the first event of a pipeline, or of its retry, to its end. */
function readPipelines(events: readonly PastEvent[]): { durations: number[]; runs: Run[] } {
  const began = new Map<number, number>()
  const durations: number[] = []
  const runs: Run[] = []
  for (const { kind, at, ref, pipeline } of events) {
    const status = /^pipeline\.(.+)$/.exec(kind)?.[1]
    if (status === undefined || pipeline === undefined) continue
    const { id, sha } = pipeline
    const since = began.get(id)
    if (running.has(status)) began.set(id, since ?? Date.parse(at))
    else began.delete(id)
    if (status !== 'success' && status !== 'failed') continue
    runs.push({ sha, ref, isGreen: status === 'success' })
    if (since !== undefined) durations.push(Date.parse(at) - since)
  }
  return { durations, runs }
}

function flakyShare(runs: readonly Run[]): Share {
  const good = shasOfGreen(runs)
  const ofGood = runs.filter(({ sha }) => good.has(sha))
  return { count: ofGood.filter(({ isGreen }) => !isGreen).length, among: ofGood.length }
}

function badShare(runs: readonly Run[]): Share {
  const good = shasOfGreen(runs)
  const shas = [...new Set(runs.map(({ sha }) => sha))]
  const turnedRed = shas.filter((sha, index) => {
    const before = shas[index - 1]
    return !good.has(sha) && before !== undefined && good.has(before)
  })
  return { count: turnedRed.length, among: shas.length }
}

const shasOfGreen = (runs: readonly Run[]) => new Set(runs.flatMap(({ sha, isGreen }) => (isGreen ? [sha] : [])))
