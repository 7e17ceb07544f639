// Tells a Node that is too old before any newer syntax is read; plain enough for every Node since 0.12.
var wanted = [20, 19]
var found = process.versions.node.split('.').map(Number)
if (found[0] < wanted[0] || (found[0] === wanted[0] && found[1] < wanted[1])) {
  process.stderr.write(
    'bellhop: Node ' +
      wanted.join('.') +
      ' or newer is needed, this is ' +
      process.versions.node +
      '. Install it from https://nodejs.org and try again.\n',
  )
  process.exit(1)
}
