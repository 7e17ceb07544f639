// Bodies of readings that the service gave a tag with: asked whether it is still the same, it may answer 304 in place of sending it again.

/** A successful answer's body as it came. */
export interface KeptAnswer {
  /** The service's `ETag`, as it came. */
  tag: string
  status: number
  bytes: Uint8Array
}

export interface KeptAnswers {
  get(key: string): KeptAnswer | undefined
  /** Kept until newer ones need its room; a body that is too large is not kept. */
  put(key: string, answer: KeptAnswer): void
  delete(key: string): void
}

const MOST_BYTES = 16 * 1024 * 1024
/** One long list of changes does not push out a hundred merge requests. */
const MOST_OF_ONE = 1024 * 1024
/** What an entry takes beside its body, about. */
const BESIDE = 500

/** At most so many bytes; what was not asked for longest goes first. */
export function createKeptAnswers(mostBytes = MOST_BYTES, mostOfOne = MOST_OF_ONE): KeptAnswers {
  const kept = new Map<string, KeptAnswer>()
  let size = 0
  const sizeOf = (key: string, { bytes }: KeptAnswer) => key.length + bytes.byteLength + BESIDE
  const drop = (key: string) => {
    const before = kept.get(key)
    if (before !== undefined) size -= sizeOf(key, before)
    kept.delete(key)
  }
  return {
    get(key) {
      const answer = kept.get(key)
      if (answer === undefined) return undefined
      kept.delete(key)
      kept.set(key, answer)
      return answer
    },
    put(key, answer) {
      drop(key)
      if (answer.bytes.byteLength > mostOfOne) return
      kept.set(key, answer)
      size += sizeOf(key, answer)
      for (const oldest of kept.keys()) {
        if (size <= mostBytes) break
        drop(oldest)
      }
    },
    delete: drop,
  }
}
