// Runs git for the sandboxes of the process that forked it (src/sandbox/git/run-apart.ts): what is small starts a process in a tenth of the time.
const { spawn } = require('node:child_process')

const running = new Map()

process.on('message', (message) => {
  if (message.end !== undefined) for (const id of message.end) end(running.get(id))
  else run(message)
})
// Whoever asked is gone: what was begun is still done, as it would be without this process between.
process.on('disconnect', leaveWhenIdle)

function run({ id, args, env, input, timeLimit, maxOutput }) {
  // Only a process in a group of its own can be ended together with its children.
  const child = spawn('git', args, { env, stdio: 'pipe', detached: timeLimit !== undefined })
  running.set(id, child)
  const timer = timeLimit === undefined ? undefined : setTimeout(() => end(child), timeLimit)
  const out = []
  const errors = []
  let size = 0
  child.stdout.on('data', (chunk) => {
    size += chunk.length
    if (size > maxOutput) child.kill()
    else out.push(chunk)
  })
  child.stderr.on('data', (chunk) => errors.push(chunk))
  child.once('error', ({ message }) => answer(id, timer, { failure: message }))
  child.once('close', (code) =>
    answer(id, timer, {
      code: code === null || size > maxOutput ? -1 : code,
      stdout: Buffer.concat(out),
      stderr: Buffer.concat(errors).toString(),
    }),
  )
  // git may end before it has read everything; its exit code says what happened.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
}

function answer(id, timer, said) {
  clearTimeout(timer)
  if (!running.delete(id)) return
  if (process.connected) process.send({ id, ...said })
  leaveWhenIdle()
}

/** Ends a process and, when it leads a group, those that it started. */
function end(child) {
  if (child === undefined || child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
  try {
    process.kill(-child.pid, 'SIGTERM')
  } catch {
    child.kill('SIGTERM')
  }
}

function leaveWhenIdle() {
  if (!process.connected && running.size === 0) process.exit(0)
}
