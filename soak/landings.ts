// Whatever a merge queue landed was tested as it landed, and nothing waits for ever.

/** The target of a queue, from its first commit, by first parents. */
export interface Chain {
  /** `accept`: the service makes each commit; `push`: the tested commit itself is pushed, with its batch's members. */
  land: 'accept' | 'push'
  commits: readonly { sha: string; tree: string }[]
}

/** A commit of a queue's branch that had a green pipeline. */
export interface TestedCommit {
  tree: string
  /** The tree that its members were built on. */
  base: string
}

export interface QueuedMergeRequest {
  iid: number
  state: string
  /** Held, or in conflict with the target. */
  waits: boolean
  /** The notes of the bot. */
  notes: readonly string[]
}

/** How the target moved to a state that no green pipeline tested on exactly what was there before. */
export function untested(
  { land, commits }: Chain,
  tested: readonly TestedCommit[],
  byPeople: ReadonlySet<string>,
): string[] {
  const found: string[] = []
  let before = commits[0]
  /** Commits of a batch whose last one is still to come. */
  let batch: string[] = []
  for (const commit of commits.slice(1)) {
    // A retry tests the same tree by another commit, and the service's own merge makes one more.
    const isLanding = tested.some(({ tree, base }) => tree === commit.tree && base === before?.tree)
    batch.push(commit.sha)
    if (!isLanding && land === 'push' && !byPeople.has(commit.sha)) continue
    if (!isLanding) found.push(...batch.filter((sha) => !byPeople.has(sha)))
    before = commit
    batch = []
  }
  return [...found, ...batch].map((sha) => `${sha.slice(0, 8)} landed untested`)
}

/** Merge requests that are green and wait for nobody, but that neither landed nor left with a reason. */
export function stuck(all: readonly QueuedMergeRequest[]): number[] {
  return all.flatMap(({ iid, state, waits, notes }) => {
    const isRemoved = notes.some((note) => note.includes('removed it'))
    return state === 'opened' && !waits && !isRemoved ? [iid] : []
  })
}
