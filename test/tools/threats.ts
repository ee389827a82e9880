// The tests that show what SECURITY.md says of each threat: by threat, their files and their names or those of their groups.

export const shownBy: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  'An upstream sends an answer without end': {
    'test/upstream/http.test.ts': ['a body over the limit is not read to its end: %s'],
  },
  'An upstream sends a small body that unpacks to a large one': {
    'test/upstream/http.test.ts': [
      'compression is not asked for, and refused: a small answer could become of any size',
    ],
  },
  'An upstream nests an answer deeply': {
    'test/upstream/bounds.test.ts': ['an answer', 'is judged while it arrives: this one has no end'],
  },
  'An upstream sends an answer that is costly to parse': {
    'test/upstream/bounds.test.ts': ['an answer', 'is judged while it arrives: this one has no end'],
    'test/weather/heavy-answers.test.ts': [
      'answers of any size cost other networks nothing, and scrapes no more than two seconds',
    ],
  },
  'An upstream answers slowly, or never': {
    'test/upstream/http.test.ts': ['ends the wait for another attempt, and what failed before it is said'],
  },
  'An upstream gives pages without end': {
    'test/upstream/page-tokens.test.ts': ['are refused after %s'],
  },
  'An upstream redirects to another address': {
    'test/upstream/http.test.ts': ['status %i: %i'],
  },
  'An upstream lies: it lags, repeats or reorders': {
    'test/collectors/counting/follow.test.ts': [
      'counts every item once, whatever the bursts, page sizes and repetitions',
    ],
  },
  'An upstream gives implausible heights': {
    'test/collectors/counting/implausible.test.ts': [
      'one block at an absurd height is left out, the others count, and the next ones do',
      'a list that ends at %i is refused, and the cursor stays',
      'a first answer that no chain can have is refused, and counting begins with the next one',
    ],
  },
  'An upstream gives implausible times, numbers or labels': {
    'test/collectors/counting/implausible.test.ts': ['one item that cannot be is left out, and all the others count'],
    'test/metrics/impossible.test.ts': [
      'a label %s',
      'of the times that are published, these alone may lie in the future',
    ],
  },
  'An answer takes more memory than there is': {
    'test/upstream/bounds.test.ts': ['an answer', 'is judged while it arrives: this one has no end'],
  },
  'An upstream echoes a key': {
    'test/upstream/mask.test.ts': ['it is found'],
    'test/upstream/redact.test.ts': ['no error gives a secret away'],
  },
  'A proxy repeats its credentials': {
    'test/upstream/redact.test.ts': ['credentials of a proxy that are repeated are masked: %s'],
  },
  'A key gets into an error, a log line or a page': {
    'test/lib/secret.test.ts': ['does not print by way of %s', 'does not print in a log line: %s'],
    'test/upstream/redact.test.ts': ['a secret that holds another goes as a whole'],
  },
  'A crash prints a key or an answer': {
    'test/process/defect.test.ts': ['says where it happened; the whole stack in one line, and only when asked'],
  },
  'Text of an upstream commands the terminal or forges a line of the log': {
    'test/logger.test.ts': ['line feeds of values are escaped: %s'],
  },
  'Text of an upstream becomes markup of a page': {
    'test/status/page/page.test.ts': [
      'whatever is put into a page is text there, wherever it stands',
      'hostile names of every place are text on the page',
      'the policy lets each page have its one style sheet and nothing else',
    ],
    'test/e2e/status-page.test.ts': ['shows hostile names as they are, and runs nothing of them'],
  },
  'A page shows keys or addresses': {
    'test/e2e/secrets.test.ts': ['a daemon whose upstreams all fail shows no secret in its log or at its routes'],
    'test/config/file/shown.test.ts': [
      'of the URL %s it shows %s',
      'keys are secret, and the names of their headers are not',
    ],
    'test/status/discovery.test.ts': ['a node whose address has %s is left out: it may be secret'],
  },
  'A visitor of the public page learns what is private, or keeps Prometheus out': {
    'test/status/public.test.ts': ['%s: in the body, the headers and the type'],
    'test/server/public-server.test.ts': ['%s is not there for any method, and the answer names no other path'],
    'test/daemon/public.test.ts': [
      'the password protects the main listener alone, and visitors do not use up its rate',
    ],
  },
  'A page leads to files of the machine': {
    'test/status/page/page.test.ts': [
      'has the name of an alert: no other file is read',
      'fills in what the link of the alert knows, as text',
    ],
  },
  'A daemon, or an impostor, commands the terminal of `top`': {
    'test/commands/top/top.test.ts': ['what comes from elsewhere does not command the terminal'],
  },
  'A client holds on to its request, so that the daemon cannot end': {
    'test/e2e/process.test.ts': [
      'scrapes finish, runs are given up, state is written: all over within 5 s, with exit code 0',
      'a second one ends it at once, with exit code 1',
    ],
  },
  'A disk that hangs stops the daemon, or keeps it from ending': {
    'test/storage/storage.test.ts': ['while the disk hangs, memory goes on:'],
    'test/e2e/process.test.ts': [
      'scrapes, polls and verdicts go on',
      'one signal ends the process in time, and it says that something may be lost: it %s the file',
      'SIGINT as a second one does not wait for it',
      'nor does it as the first process of a container',
    ],
  },
  'A client pipelines requests and does not read': {
    'test/server/connections.test.ts': [
      'what a client sends while it does not read waits, and nothing of it is lost',
      'is cut off 25 s after it asked',
    ],
    'test/e2e/rude-clients.test.ts': [
      'pipelining and unread scrapes: nothing ends, memory stays, and another scraper waits less than a second',
    ],
  },
  'A client sends its request byte by byte, or nothing': {
    'test/server/server.test.ts': ['clients that send nothing are cut off'],
  },
  'Crowds of clients': {
    'test/server/connections.test.ts': [
      'a thousand idle connections keep no scraper out',
      'the connection that has been idle for longest makes room',
    ],
  },
  'A client without a certificate or a password reads the metrics': {
    'test/server/web-matrix.test.ts': [
      '%s: without a certificate %s, with one of others %s, with one of ours %s',
      'a certificate for %j where %s is allowed: %s',
    ],
    'test/commands/serve/web-config-file.test.ts': [
      'a scrape over TLS with a client certificate and a password, and none without either',
    ],
  },
  'A damaged or shorter web configuration opens the door': {
    'test/config/pem.test.ts': ['is refused as %s of a web configuration'],
    'test/server/web-matrix.test.ts': ['a file that %s changes nothing: users and certificates are those from before'],
  },
  'A client that is not trusted any more resumes its session of TLS': {
    'test/server/web-matrix.test.ts': [
      'a policy and an authority that change count from the next handshake on, for who resumes a session as well',
    ],
  },
  'A client that reaches the port sends test pages': {
    'test/server/server.test.ts': ['is off without the flag', 'a second one is refused while one goes on'],
    'test/daemon/drills.test.ts': ['is served at once, and until its time is over'],
  },
  'A page of another site makes a browser reload or begin a drill': {
    'test/server/server.test.ts': ['a request that changes something'],
  },
  'The label of a drill commands a terminal or hides text of a page': {
    'test/server/server.test.ts': ['%s ?%s is refused'],
  },
  'A name in a report becomes a formula': {
    'test/commands/report/texts.test.ts': ['of the text %j the CSV has %s'],
  },
  'A client guesses passwords, or makes the daemon compare without end': {
    'test/server/basic-auth.test.ts': [
      'one comparison runs at a time',
      'who is known does not wait for those who guess',
      'guesses do not displace who is known',
    ],
  },
  'The time of an answer shows which users exist': {
    'test/server/basic-auth.test.ts': ['an unknown user costs a comparison of the same cost'],
  },
  'Rude clients come over TLS or HTTP/2': {
    'test/server/connections-tls.test.ts': [
      '1,500 pipelined requests of a client that reads nothing close its connection when a few dozen were looked at',
      'who takes back request after request is disconnected when it has done so a few dozen times',
    ],
  },
  'A client sends nonsense, or a path of its own': {
    'test/server/connections.test.ts': ['nonsense is answered once, however much of it there is'],
    'test/server/server.test.ts': ['requests are counted by a handler that no client chooses'],
  },
  'A configuration that takes all memory or time': {
    'test/config/hostile.test.ts': [
      'are resolved in one walk, however many they are',
      'two thousand of them: the first hundred and how many more',
    ],
    'test/config/wrong-names.test.ts': ['%s: 50,000 at most'],
    'test/lib/gaps.test.ts': ['150 windows take 60 each at most: %s'],
    'test/commands/serve/read-aside.test.ts': [
      'is given up after a minute',
      'is given up when it takes too much memory',
    ],
  },
  'A configuration that sends a key elsewhere': {
    'test/config/hostile.test.ts': ['a URL has the host that is written', 'the header of a key'],
    'test/lib/url.test.ts': ['is refused with a remedy: %s', 'a flag is refused, without a part of it: %s %s'],
  },
  'A node writes something else into the file that `init` makes': {
    'test/commands/init/look.test.ts': [
      'what is no id and no address is left out: a node cannot write anything else into the file',
    ],
  },
  'A key or the name of its header adds headers by line breaks': {
    'test/config/hostile.test.ts': ['has no value such as %j', 'the header of a key'],
    'test/upstream/http.test.ts': ['a header whose %s cannot be sent is a mistake of the configuration'],
  },
  'A key file that is a device, a pipe or too large': {
    'test/process/read-file.test.ts': ['%s is refused: %s'],
  },
  'The disk is full, read-only or gone': {
    'test/storage/storage.test.ts': [
      'when it cannot be written, memory goes on and everything is written later:',
      'a limit on the size of files, as of a disk that is full: a real process goes on and says so',
    ],
  },
  'A damaged or exchanged storage file': {
    'test/storage/storage.test.ts': [
      'a file that cannot be used is set aside, and a new one begins:',
      'a record that is no JSON is left out alone',
    ],
  },
  'A person changes the storage file': {
    'test/storage/storage.test.ts': [
      'is in a folder that is made for the user of the daemon alone',
      'a file that cannot be used is set aside, and a new one begins:',
    ],
    'test/storage/damage.test.ts': ['a file that was changed or damaged'],
    'test/run/memory.test.ts': ['what is remembered'],
  },
  'Another user of the machine reads what stakewatch writes': {
    'test/process/write-file.test.ts': [
      'that replaces one with more readers never shows them its text: who has the old one open reads the old one',
      'writes a configuration for its owner alone, also over one that others can read',
    ],
    'test/storage/storage.test.ts': ['is in files for that user alone, also where they had the mode %o'],
  },
  'A link in the folder of a report or of `init` leads elsewhere': {
    'test/process/write-file.test.ts': ['over %s'],
  },
  'The log cannot be written': {
    'test/process/log-sink.test.ts': ['lines for a disk that is full are counted, each of them'],
  },
  'A clock is set, or the machine sleeps': {
    'test/weather/clocks.test.ts': [
      'does not hide that the node fails: what it said is gone when its time to live is over',
      'a process that stood still serves nothing old, says so, and goes on',
    ],
  },
  'A signal opens the debugger or ends the process': {
    'test/e2e/process.test.ts': ['SIGHUP, SIGUSR1, SIGUSR2 and SIGPIPE neither end nor open it'],
    'test/e2e/container.test.ts': ['no SIGUSR1 opens the debugger, not even the one that comes before the program'],
  },
  'Memory, timers or sockets leak over weeks': {
    'test/e2e/month.test.ts': ['a day of coming and going leaves nothing behind'],
  },
  'A dependency runs a script at installation': {
    'test/tools/licences.test.ts': ['no package that ships runs a script when it is installed'],
  },
  'A dependency is exchanged': {
    'test/tools/licences.test.ts': [
      'names one exact version of every dependency',
      'has a lockfile that says what every package must hash to, and all come from a registry',
    ],
    'test/release/lockfile.test.ts': ['says of each what it must hash to'],
    'test/e2e/release.test.ts': ['no bundle is made of a %s with other bytes than the package says'],
  },
  'Node.js is exchanged': {
    'test/release/lockfile.test.ts': ['is the one whose hash is known', 'is no other one: %s'],
  },
  'A base image is exchanged': {
    'test/e2e/container.test.ts': ['a build of version %s on %s and %s ends with status %d'],
    'test/release/workflows.test.ts': ['are not made while an image is named by its tag alone'],
    'test/tools/pin-images.test.ts': ['all images of %s are found, and those without a digest'],
  },
  'A step of the release signs something else': {
    'test/release/workflows.test.ts': [
      '%s: installs and builds nothing',
      '%s: what it fetches must have a hash that stands here',
      '%s: are checked before anything else is done with them',
    ],
  },
  'A break-out of the process in the container': {
    'test/e2e/container.test.ts': ['nothing can be written', 'runs as a user that has a number, and is not root'],
  },
}
