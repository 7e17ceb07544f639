// Runs git for its parent (src/sandbox/git/git-runner.ts): a small process starts another ten times faster.
const { spawn } = require('node:child_process')

const running = new Map()
/** Sockets that arrived before the request of their process. */
const given = new Map()

process.on('message', (message, connection) => {
  if (message.end !== undefined) for (const id of message.end) end(running.get(id))
  else if (connection === undefined) run(message)
  else if (message.args === undefined) given.set(message.id, [...(given.get(message.id) ?? []), connection])
  else start(message, connection)
})
// The parent has gone: running processes still finish.
process.on('disconnect', leaveWhenIdle)

function run({ id, args, env, input, timeLimit, maxOutput }) {
  // Only a process group can be ended together with its children.
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

/** git reads and writes the sockets itself. A third one is stream 3, for its hooks. */
function start({ id, args, env }, input) {
  const [output, more] = given.get(id)
  given.delete(id)
  let child
  try {
    // A group of its own: http-backend starts children, which have to end with it.
    child = spawn('git', args, {
      env,
      stdio: [input, output, 'ignore', ...(more === undefined ? [] : ['pipe'])],
      detached: true,
    })
  } catch ({ message }) {
    // A closed socket cannot be passed on.
    for (const each of [input, output, more]) each?.destroy()
    process.send({ id, failure: message })
    return
  }
  running.set(id, child)
  child.once('error', ({ message }) => answer(id, undefined, { failure: message }))
  child.once('exit', (code) => answer(id, undefined, { code: code ?? -1, stdout: Buffer.alloc(0), stderr: '' }))
  // git has its own copies; while these are open, the other side sees no end.
  input.destroy()
  output.destroy()
  if (more === undefined) return
  // Through a pipe: a shell cannot read Node's socket.
  const pipe = child.stdio[3]
  for (const each of [pipe, more]) each.on('error', () => undefined)
  pipe.pipe(more).pipe(pipe)
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
