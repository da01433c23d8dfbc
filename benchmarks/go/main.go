// The pipeline of Kubeflow Trainer v2.3.0 on its own: a stream of YAML documents in, the objects of its controller as YAML out.
//
//	upstream [-rounds 7] [-snapshot] [-print] < stream.yaml
//
// The input is a ClusterTrainingRuntime and TrainJobs that name it. Everything between text and text is Trainer's own code and that of the
// libraries that it uses: decoding, the validating webhooks, the framework with all its plugins, encoding. What is left out is what a cluster
// does around it: schema and CEL rules, JobSet's webhooks, the network. Prints the least CPU time that a TrainJob took of all rounds, in
// microseconds, garbage collection included; with -print the objects instead.
//
// So that the objects are those of a compiler without a cluster, nobody has a UID (objects are written without owners) and no key is minted
// (the SSH Secret of an MPI job holds a placeholder). The copy of the runtime that the controller keeps for each TrainJob is made with
// -snapshot only: it is no part of what a TrainJob comes to, and a good part of the controller's time.
package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"runtime"
	"syscall"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	apiruntime "k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	jsonserializer "k8s.io/apimachinery/pkg/runtime/serializer/json"
	yamlreader "k8s.io/apimachinery/pkg/util/yaml"
	corev1ac "k8s.io/client-go/applyconfigurations/core/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/client/fake"
	"sigs.k8s.io/controller-runtime/pkg/client/interceptor"
	jobsetv1alpha2ac "sigs.k8s.io/jobset/client-go/applyconfiguration/jobset/v1alpha2"
	schedulingv1alpha1ac "sigs.k8s.io/scheduler-plugins/pkg/generated/applyconfiguration/scheduling/v1alpha1"
	"sigs.k8s.io/yaml"

	trainer "github.com/kubeflow/trainer/v2/pkg/apis/trainer/v1alpha1"
	"github.com/kubeflow/trainer/v2/pkg/constants"
	trainerruntime "github.com/kubeflow/trainer/v2/pkg/runtime"
	runtimecore "github.com/kubeflow/trainer/v2/pkg/runtime/core"
	framework "github.com/kubeflow/trainer/v2/pkg/runtime/framework/core"
	"github.com/kubeflow/trainer/v2/pkg/runtime/framework/plugins"
	"github.com/kubeflow/trainer/v2/pkg/webhooks"
)

const (
	noPrivateKey = "PLACEHOLDER, not a key: the Trainer controller generates the SSH private key of this TrainJob"
	noPublicKey  = "PLACEHOLDER, not a key: the Trainer controller generates the SSH public key of this TrainJob"
)

// pipeline is a control plane that holds the runtimes it was given, and nothing else.
type pipeline struct {
	runtimes  map[string]*trainer.ClusterTrainingRuntime
	validator webhooks.ClusterTrainingRuntimeValidator
	registry  map[string]trainerruntime.Runtime
	framework *framework.Framework
	snapshot  bool
}

func newPipeline(ctx context.Context, snapshot bool) (*pipeline, error) {
	p := &pipeline{runtimes: map[string]*trainer.ClusterTrainingRuntime{}, snapshot: snapshot}
	scheme := apiruntime.NewScheme()
	if err := errors.Join(trainer.AddToScheme(scheme), corev1.AddToScheme(scheme)); err != nil {
		return nil, err
	}
	held := interceptor.NewClient(fake.NewClientBuilder().WithScheme(scheme).Build(), interceptor.Funcs{Get: p.get, Apply: p.apply})
	var err error
	if p.registry, err = runtimecore.New(ctx, held, noIndex{}, nil); err != nil {
		return nil, err
	}
	p.framework, err = framework.New(ctx, held, plugins.NewRegistry(), noIndex{}, nil)
	return p, err
}

// get answers from memory, as the cache of a controller does: a copy of what is there. SSH Secrets are always there, so that nobody mints one.
func (p *pipeline) get(_ context.Context, _ client.WithWatch, key client.ObjectKey, into client.Object, _ ...client.GetOption) error {
	switch into := into.(type) {
	case *trainer.ClusterTrainingRuntime:
		if found, ok := p.runtimes[key.Name]; ok {
			found.DeepCopyInto(into)
			return nil
		}
	case *corev1.Secret:
		return nil
	}
	return apierrors.NewNotFound(schema.GroupResource{}, key.Name)
}

// apply takes the copy of the runtime, and forgets it.
func (p *pipeline) apply(context.Context, client.WithWatch, apiruntime.ApplyConfiguration, ...client.ApplyOption) error {
	return nil
}

// noIndex takes the fields to index that plugins ask for: nobody lists objects here.
type noIndex struct{}

func (noIndex) IndexField(context.Context, client.Object, string, client.IndexerFunc) error {
	return nil
}

// run turns a stream of documents into the objects of its TrainJobs; jobs is how many there were.
func (p *pipeline) run(ctx context.Context, text []byte) (out []byte, jobs int, err error) {
	clear(p.runtimes)
	documents := yamlreader.NewYAMLReader(bufio.NewReader(bytes.NewReader(text)))
	var written bytes.Buffer
	for {
		document, err := documents.Read()
		if errors.Is(err, io.EOF) {
			return written.Bytes(), jobs, nil
		}
		if err != nil {
			return nil, 0, err
		}
		job, err := p.read(ctx, document)
		if err != nil {
			return nil, 0, err
		}
		if job == nil {
			continue
		}
		jobs++
		objects, err := p.compile(ctx, job)
		if err != nil {
			return nil, 0, fmt.Errorf("%s: %w", job.Name, err)
		}
		for _, object := range objects {
			encoded, err := yaml.Marshal(object)
			if err != nil {
				return nil, 0, err
			}
			written.WriteString("---\n")
			written.Write(encoded)
		}
	}
}

// read decodes a document. A runtime is admitted and kept, a TrainJob returned.
func (p *pipeline) read(ctx context.Context, document []byte) (*trainer.TrainJob, error) {
	text, err := yaml.YAMLToJSON(document)
	if err != nil {
		return nil, err
	}
	kind, err := jsonserializer.SimpleMetaFactory{}.Interpret(text)
	if err != nil {
		return nil, err
	}
	switch kind.Kind {
	case trainer.ClusterTrainingRuntimeKind:
		var read trainer.ClusterTrainingRuntime
		if err := json.Unmarshal(text, &read); err != nil {
			return nil, err
		}
		defaultRuntime(&read)
		p.runtimes[read.Name] = &read
		_, err := p.validator.ValidateCreate(ctx, &read)
		return nil, err
	case trainer.TrainJobKind:
		var read trainer.TrainJob
		if err := json.Unmarshal(text, &read); err != nil {
			return nil, err
		}
		defaultTrainJob(&read)
		return &read, nil
	default:
		return nil, fmt.Errorf("a %s is neither a ClusterTrainingRuntime nor a TrainJob", kind.Kind)
	}
}

// defaultRuntime and defaultTrainJob fill in what the schemas of the CRDs would, as far as the inputs leave it out.
func defaultRuntime(read *trainer.ClusterTrainingRuntime) {
	jobs := read.Spec.Template.Spec.ReplicatedJobs
	for i := range jobs {
		if jobs[i].GroupName == "" {
			jobs[i].GroupName = "default"
		}
		if jobs[i].Replicas == 0 {
			jobs[i].Replicas = 1
		}
	}
}

func defaultTrainJob(read *trainer.TrainJob) {
	ref := &read.Spec.RuntimeRef
	if ref.APIGroup == nil {
		ref.APIGroup = new(trainer.GroupVersion.Group)
	}
	if ref.Kind == nil {
		ref.Kind = new(trainer.ClusterTrainingRuntimeKind)
	}
	if read.Spec.Suspend == nil {
		read.Spec.Suspend = new(false)
	}
	if read.Spec.ManagedBy == nil {
		read.Spec.ManagedBy = new("trainer.kubeflow.org/trainjob-controller")
	}
}

// compile admits a TrainJob and makes its objects, without owners and keys.
func (p *pipeline) compile(ctx context.Context, job *trainer.TrainJob) ([]apiruntime.ApplyConfiguration, error) {
	runtime := p.registry[trainerruntime.RuntimeRefToRuntimeRegistryKey(job.Spec.RuntimeRef)]
	if _, refused := runtime.ValidateObjects(ctx, nil, job); len(refused) > 0 {
		return nil, refused.ToAggregate()
	}
	objects, err := p.build(ctx, runtime, job)
	if err != nil {
		return nil, err
	}
	for _, object := range objects {
		switch object := object.(type) {
		case *jobsetv1alpha2ac.JobSetApplyConfiguration:
			object.OwnerReferences = nil
		case *schedulingv1alpha1ac.PodGroupApplyConfiguration:
			object.OwnerReferences = nil
		case *corev1ac.ConfigMapApplyConfiguration:
			object.OwnerReferences = nil
			if *object.Name == job.Name+constants.MPIHostfileConfigMapSuffix {
				objects = append(objects, secretWithoutKeys(job))
			}
		}
	}
	return objects, nil
}

// build is what the controller does for a TrainJob that is new.
func (p *pipeline) build(ctx context.Context, runtime trainerruntime.Runtime, job *trainer.TrainJob) ([]apiruntime.ApplyConfiguration, error) {
	if p.snapshot {
		return runtime.NewObjects(ctx, job)
	}
	var held trainer.ClusterTrainingRuntime
	if err := p.get(ctx, nil, client.ObjectKey{Name: job.Spec.RuntimeRef.Name}, &held); err != nil {
		return nil, err
	}
	info, err := runtime.RuntimeInfo(job, held.Spec.Template, held.Spec.MLPolicy, held.Spec.PodGroupPolicy)
	if err != nil {
		return nil, err
	}
	return p.framework.RunComponentBuilderPlugins(ctx, info, job)
}

// secretWithoutKeys is what a compiler writes in place of an SSH Secret.
func secretWithoutKeys(job *trainer.TrainJob) apiruntime.ApplyConfiguration {
	return corev1ac.Secret(job.Name+constants.MPISSHAuthSecretSuffix, job.Namespace).
		WithType(corev1.SecretTypeSSHAuth).
		WithImmutable(true).
		WithStringData(map[string]string{corev1.SSHAuthPrivateKey: noPrivateKey, constants.MPISSHPublicKey: noPublicKey})
}

// processTime is the CPU time of this process so far, in microseconds.
func processTime() float64 {
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		panic(err)
	}
	return float64(usage.Utime.Sec+usage.Stime.Sec)*1e6 + float64(usage.Utime.Usec+usage.Stime.Usec)
}

func measure(ctx context.Context, p *pipeline, text []byte, rounds int) (least float64, err error) {
	for round := range rounds + 1 { // the first one warms up
		runtime.GC()
		start := processTime()
		_, jobs, err := p.run(ctx, text)
		if err != nil {
			return 0, err
		}
		if each := (processTime() - start) / float64(jobs); round == 1 || round > 1 && each < least {
			least = each
		}
	}
	return least, nil
}

func program() error {
	rounds := flag.Int("rounds", 7, "how often to measure")
	snapshot := flag.Bool("snapshot", false, "make the controller's copy of the runtime, too")
	print := flag.Bool("print", false, "print the objects and measure nothing")
	flag.Parse()
	runtime.GOMAXPROCS(1)
	text, err := io.ReadAll(os.Stdin)
	if err != nil {
		return err
	}
	ctx := context.Background()
	p, err := newPipeline(ctx, *snapshot)
	if err != nil {
		return err
	}
	if *print {
		objects, _, err := p.run(ctx, text)
		if err != nil {
			return err
		}
		_, err = os.Stdout.Write(objects)
		return err
	}
	least, err := measure(ctx, p, text, *rounds)
	if err != nil {
		return err
	}
	_, err = fmt.Printf("%.0f\n", least)
	return err
}

func main() {
	if err := program(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
