// Ctrl-C and SIGTERM: the first asks to stop, the second ends at once.

/** Resolves at the first SIGINT or SIGTERM; a second one ends the process with 130. */
export function stopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let asked = false
    const onSignal = (signal: NodeJS.Signals) => {
      if (asked) process.exit(130)
      asked = true
      resolve(signal)
    }
    process.on('SIGINT', onSignal)
    process.on('SIGTERM', onSignal)
  })
}
