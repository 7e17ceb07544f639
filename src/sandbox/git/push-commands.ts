// Reads which refs a push names, so that each of two pushes at once is announced with its own user.

/** Larger than any list of refs; longer ones are not read. */
const limit = 4 * 1024 * 1024

/** Reads packet lines `old new ref\0capabilities` up to the flush packet. */
export function createPushReader() {
  let bytes: Buffer = Buffer.alloc(0)
  let found: string[] | undefined
  let done = false

  function parse() {
    const refs: string[] = []
    let at = 0
    while (at + 4 <= bytes.length) {
      const size = Number.parseInt(bytes.toString('latin1', at, at + 4), 16)
      if (size === 0) {
        found = refs
        done = true
        return
      }
      if (Number.isNaN(size) || size < 4) {
        done = true
        return
      }
      if (at + size > bytes.length) return
      const line = bytes.toString('utf8', at + 4, at + size).split('\0')[0] ?? ''
      const ref = /^[0-9a-f]{40,64} [0-9a-f]{40,64} (\S.*?)\n?$/.exec(line)?.[1]
      if (ref !== undefined) refs.push(ref)
      at += size
    }
  }

  return {
    take(chunk: Buffer): void {
      if (done) return
      bytes = Buffer.concat([bytes, chunk])
      if (bytes.length > limit) done = true
      else parse()
      if (done) bytes = Buffer.alloc(0)
    },
    /** Undefined when the push could not be read (compressed or cut off). */
    refs: () => found,
  }
}
