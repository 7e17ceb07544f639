// Room for bodies that only their end can prove (signed ones): it grows with the bytes that came, and who is longest at it makes room for the next.

/** `crowded`: its bytes were wanted for somebody else; `late`: the time is over. */
export type PutOut = 'crowded' | 'late'

export interface UnprovenPlace {
  /** So many bytes more are in memory. May put out others, or this one itself. */
  grow(bytes: number): void
  /** It is proven: from now on it stays until it leaves. */
  prove(): void
  /** Gives the bytes back; a second call does nothing. */
  leave(): void
}

export interface UnprovenRoom {
  /** `putOut` is called once at most, and never after `prove` or `leave`; the place is left then. */
  enter(putOut: (why: PutOut) => void): UnprovenPlace
}

/**
 * Holds `limit` bytes. A stranger who declares much and sends nothing takes nothing; one who sends much and then stops goes as soon as others
 * come, because a sender who means it is through within moments.
 */
export function createUnprovenRoom({ limit, withinMs }: { limit: number; withinMs: number }): UnprovenRoom {
  let taken = 0
  // In the order in which they came.
  const unproven = new Set<(why: PutOut) => void>()

  return {
    enter(putOut) {
      let held = 0
      let isIn = true
      const timer = setTimeout(() => end('late'), withinMs)
      function leave(): void {
        isIn = false
        clearTimeout(timer)
        unproven.delete(end)
        taken -= held
        held = 0
      }
      function end(why: PutOut): void {
        leave()
        putOut(why)
      }
      unproven.add(end)
      return {
        grow(bytes) {
          if (!isIn) return
          held += bytes
          taken += bytes
          for (const endOldest of unproven) {
            if (taken <= limit) return
            endOldest('crowded')
          }
        },
        prove() {
          clearTimeout(timer)
          unproven.delete(end)
        },
        leave,
      }
    },
  }
}
