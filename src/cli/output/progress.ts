// A progress line on a terminal; nothing elsewhere.
interface Progress {
  show(text: string, share: number): void
  /** Removes the line. */
  end(): void
}

const WIDTH = 24

export function createProgress(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  if (stream.isTTY !== true) return { show: () => {}, end: () => {} }
  return {
    show(text, share) {
      const done = Math.round(WIDTH * Math.min(1, Math.max(0, share)))
      stream.write(`\r\u001b[K[${'█'.repeat(done)}${' '.repeat(WIDTH - done)}] ${text}`)
    },
    end: () => void stream.write('\r\u001b[K'),
  }
}
