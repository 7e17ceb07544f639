// `node --require processor-time.cjs …`: writes the process's CPU time in microseconds to descriptor 3.
process.on('exit', () => {
  const { user, system } = process.cpuUsage()
  require('node:fs').writeSync(3, String(user + system))
})
