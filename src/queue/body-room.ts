// Room for bodies: how many bytes of deliveries are in memory at once. Who finds no room waits unread, in the network or in the store.

/** Gives the room back; a second call does nothing. */
export type Leave = () => void

export interface BodyRoom {
  /** Undefined when there was no room within the time. First come, first served. */
  enter(bytes: number, withinMs: number): Promise<Leave | undefined>
  /** As long as it takes. */
  enter(bytes: number): Promise<Leave>
}

/** A body larger than the whole room enters alone. */
export function createBodyRoom(limit: number): BodyRoom {
  let taken = 0
  const line: { bytes: number; letIn: () => void }[] = []

  const fits = (bytes: number) => taken === 0 || taken + bytes <= limit

  function admit(): void {
    for (let first = line[0]; first !== undefined && fits(first.bytes); first = line[0]) {
      line.shift()
      taken += first.bytes
      first.letIn()
    }
  }

  function enter(bytes: number): Promise<Leave>
  function enter(bytes: number, withinMs?: number): Promise<Leave | undefined>
  async function enter(bytes: number, withinMs?: number): Promise<Leave | undefined> {
    let held = bytes
    const leave = () => {
      taken -= held
      held = 0
      admit()
    }
    if (line.length === 0 && fits(bytes)) {
      taken += bytes
      return leave
    }
    return new Promise((resolve) => {
      const giveUp = () => {
        line.splice(line.indexOf(place), 1)
        resolve(undefined)
        // A large one at the head of the line holds smaller ones back.
        admit()
      }
      const timer = withinMs === undefined ? undefined : setTimeout(giveUp, withinMs)
      const place = {
        bytes,
        letIn: () => {
          clearTimeout(timer)
          resolve(leave)
        },
      }
      line.push(place)
    })
  }

  return { enter }
}
