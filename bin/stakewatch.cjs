#!/usr/bin/env node
// Where an installed stakewatch begins. An old Node.js cannot even load the program itself, so this file says which version
// is needed. It uses only syntax that Node.js 12 and later can read.

'use strict'

// Not `engines` of package.json: npm prints five lines about it before this one.
const needed = '24'

if (parseInt(process.version.slice(1), 10) < parseInt(needed, 10)) {
  const page = require('path').join(__dirname, '../docs/install.md')
  const remedy = `its .deb and its tarball bring one along: "Without Node.js" in ${page}`
  process.stderr.write(`stakewatch needs Node.js ${needed} or later, and this is ${process.version}; ${remedy}\n`)
  // As Node.js ends when it does not know a flag: the unit of systemd does not start it again.
  process.exitCode = 9
} else if (!require('fs').existsSync(require('path').join(__dirname, '../dist/main.js'))) {
  const folder = require('path').dirname(__dirname)
  process.stderr.write(`stakewatch is not built: run \`npm ci && npm run build\` in ${folder}\n`)
  process.exitCode = 1
} else {
  // These hold until the program has loaded and installs its own. Without them SIGTERM and SIGINT would not end the first
  // process of a container, SIGUSR1 would open the debugger, and SIGHUP and SIGUSR2 would end the process.
  var end = function () {
    process.exit(1)
  }
  process.on('SIGTERM', end).on('SIGINT', end)
  var ignore = function () {}
  process.on('SIGHUP', ignore).on('SIGUSR1', ignore).on('SIGUSR2', ignore)
  void import('../dist/main.js')
}
